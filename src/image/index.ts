export type { Box, Frame, Image, MaskRle, Notice, ObjectRecord } from './types.ts'
export type { Beside, Side, Size, Xywh } from './box.ts'
export {
  besideBox,
  boundingBox,
  box,
  boxArea,
  boxCentre,
  boxHeight,
  boxWidth,
  clipBox,
  coveredShare,
  fromXywh,
  growBox,
  halfBox,
  inBox,
  intersectBoxes,
  iou,
  isSide,
  pixelBox,
  roundOutward,
  scaleAboutCentre,
  scaleBox,
  shiftBox,
  toXywh,
  wholeBox,
} from './box.ts'
export type { Scored } from './suppress.ts'
export { byScore, suppress } from './suppress.ts'
export {
  convertBox,
  croppedFrame,
  fromOriginal,
  originalFrame,
  resizedFrame,
  sameOriginal,
  toOriginal,
} from './frame.ts'
export type { ImageOptions } from './image.ts'
export { createImage, cropImage, editedImage, isImage, pixelAt, solidImage } from './image.ts'
export type { PictureType } from './picture-type.ts'
export { mimeOf, pictureType } from './picture-type.ts'
export type { Decoded, DecodeOptions } from './codec.ts'
export { decodePicture, fitWithin } from './codec.ts'
export type { EncodeOptions, WrittenType } from './encode.ts'
export { dataUrl, encodeBytes, encodePicture, writtenType } from './encode.ts'
export type { Kernel, ResizeOptions } from './resize.ts'
export { reduce, resizeBytes, resizeImage } from './resize.ts'
export {
  createMask,
  cropMask,
  eachRun,
  emptyMask,
  inMask,
  intersectMasks,
  invertMask,
  maskArea,
  maskBox,
  maskFromBitmap,
  maskFromBox,
  maskIou,
  maskToBitmap,
  placeMask,
  resizeMask,
  subtractMask,
  unionMasks,
} from './rle.ts'
export { maskFromString, maskToString } from './rle-string.ts'
export type { Found, Moved } from './objects.ts'
export {
  createObject,
  maskOrBox,
  moveMask,
  objectArea,
  objectsMask,
  toFrame,
  withMask,
} from './objects.ts'
export { encodePng } from './png.ts'
