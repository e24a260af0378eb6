/** How a picture is looked at: enlarged, and shifted by parts of its frame. */
export interface View {
  /** 1 shows the whole picture. */
  readonly scale: number
  /** Left and top edge, in frames: from 1 - scale to 0. */
  readonly x: number
  readonly y: number
}

export const wholeView: View = { scale: 1, x: 0, y: 0 }
const MOST = 8

/**
 * Enlarges about a point that stays where it is.
 *
 * @param at  the point, 0..1 of the frame
 */
export function zoom(
  view: View,
  by: number,
  at: { readonly x: number; readonly y: number } = { x: 0.5, y: 0.5 },
): View {
  const scale = Math.min(MOST, Math.max(1, view.scale * by))
  const grown = scale / view.scale
  return inside({ scale, x: at.x - (at.x - view.x) * grown, y: at.y - (at.y - view.y) * grown })
}

/** Shifts by parts of the frame; the frame stays full. */
export function pan(view: View, x: number, y: number): View {
  return inside({ ...view, x: view.x + x, y: view.y + y })
}

/** Where a point of the frame lies in the picture, both 0..1. */
export function pointIn(view: View, at: { readonly x: number; readonly y: number }) {
  return { x: (at.x - view.x) / view.scale, y: (at.y - view.y) / view.scale }
}

function inside({ scale, x, y }: View): View {
  const clamp = (value: number): number => Math.min(0, Math.max(1 - scale, value))
  return { scale, x: clamp(x), y: clamp(y) }
}
