// What vite makes of files that are not code.
declare module '*.svg' {
  const address: string
  export default address
}
declare module '*.jpg' {
  const address: string
  export default address
}
declare module '*.css'
