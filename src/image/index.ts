export type { Box, Frame, Image, MaskRle, ObjectRecord } from './types.ts'
