export type { Door, DoorOptions } from './door.ts'
export { createDoor } from './door.ts'
export type { Running, ServeOptions } from './serve.ts'
export { serve } from './serve.ts'
