/** Numbers of program-language §8 that a user may change. */
export interface ToolSettings {
  /** LOC: boxes that overlap a better one by at least this are dropped. */
  readonly locOverlap: number
  /** CROP: scale of the box about its centre. */
  readonly cropScale: number
  /** FACEDET: scores must be above it. */
  readonly faceThreshold: number
  readonly faceOverlap: number
  /** FACEDET: factor by which boxes are enlarged about their centre. */
  readonly faceGrow: number
  /** BGBLUR: sigma of the blur, in pixels. */
  readonly blurSigma: number
  /** BGBLUR: sigma of the soft edge, in pixels. */
  readonly blurEdge: number
  /** REPLACE: pixels by which masks are grown. */
  readonly replaceGrow: number
  /** REPLACE that removes: pixels by which masks are grown, since edges keep a shade (photo-starter §7). */
  readonly removeGrow: number
  /** REPLACE: pixels over which the edge is softened, inwards. */
  readonly replaceFeather: number
  readonly replaceSteps: number
  readonly replaceGuidance: number
  /** TAG: width of the boxes, in pixels. */
  readonly tagWidth: number
}

export const DEFAULT_SETTINGS: ToolSettings = {
  locOverlap: 0.5,
  cropScale: 1,
  faceThreshold: 0.5,
  faceOverlap: 0.3,
  faceGrow: 1.5,
  blurSigma: 2,
  blurEdge: 5,
  replaceGrow: 0,
  removeGrow: 3,
  replaceFeather: 0,
  replaceSteps: 50,
  replaceGuidance: 7.5,
  tagWidth: 4,
}
