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
export { finerImage } from './finer.ts'
export type { PictureSource } from './source.ts'
export { rememberSource, sourceOf } from './source.ts'
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
export type { Letterbox, LetterboxOptions, Pixels } from './letterbox.ts'
export {
  boxFromLetterbox,
  letterbox,
  pixelBoxFromLetterbox,
  pointFromLetterbox,
} from './letterbox.ts'
export type { PartWeights } from './distance.ts'
export { growMask, inwardWeights, squaredDistances } from './distance.ts'
export type { BackgroundBlurOptions, Rgb } from './effects.ts'
export {
  blurBackground,
  blurBytes,
  blurImage,
  colourPop,
  compositeInside,
  grayscale,
  luma,
  tintInside,
} from './effects.ts'
export type { Rgba } from './rgba.ts'
export { decodeRgba, pasteRgba, renderSvg, toRgba } from './rgba.ts'
export type { Matrix3, Point } from './matrix.ts'
export { createMatrix, solveHomography, transform } from './matrix.ts'
export type { WarpOptions } from './warp.ts'
export { cropTurned, quarterTurn, warp, warpQuad } from './warp.ts'
export type { Outline, Ring } from './polygon.ts'
export { maskFromRings, maskOutlines, ringArea, simplifyRing } from './polygon.ts'
export type { Blob, TurnedRect } from './shapes.ts'
export { convexHull, fillHoles, findBlobs, growRect, largestBlobs, minAreaRect } from './shapes.ts'
export type { ColourFacts, ColourWord } from './colour.ts'
export { COLOUR_WORDS, colourWord, dominantColour } from './colour.ts'
export { fingerprintDistance, nearDuplicate, pictureFingerprint } from './phash.ts'
export type { ExifFacts } from './exif.ts'
export { readExif } from './exif.ts'
export { isPng, readPngText, RUN_KEYWORD, writePngText } from './png-text.ts'
export type { CutHints, CutOptions } from './cut.ts'
export { cutOut } from './cut.ts'
export type { EraseOptions } from './erase.ts'
export { eraseInside, maskShare } from './erase.ts'
export type { Pen } from './palette.ts'
export { penOf } from './palette.ts'
export type { DrawStyle } from './draw.ts'
export { drawObjects, drawTags } from './draw.ts'
export type { ThumbnailOptions } from './thumbnail.ts'
export { objectThumbnail, thumbnail, thumbnailPixels } from './thumbnail.ts'
export { addFont } from './fonts.ts'
