/** Numbers as base 64 of little-endian 32-bit floats. */
export function floatsTo(values: Float32Array): string {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('base64')
}

export function floatsFrom(text: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'))
  return new Float32Array(bytes.buffer, 0, bytes.byteLength >> 2)
}
