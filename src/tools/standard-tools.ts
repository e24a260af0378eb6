import { bgblur } from './bgblur.ts'
import type { Backends } from './backends.ts'
import { caption } from './caption.ts'
import { classify } from './classify.ts'
import { colorpop } from './colorpop.ts'
import { count } from './count.ts'
import { crop, CROPS } from './crop.ts'
import { emoji } from './emoji.ts'
import { facedet } from './facedet.ts'
import { list } from './list.ts'
import { loc } from './loc.ts'
import { ocr } from './ocr.ts'
import { pass } from './pass.ts'
import { replace } from './replace.ts'
import { seg } from './seg.ts'
import { select } from './select.ts'
import type { ToolSettings } from './settings.ts'
import { tag } from './tag.ts'
import type { Tool } from './tool.ts'
import { vqa } from './vqa.ts'

/** The tools that ship with Pupil, in the order of `SIGNATURES`. */
export function standardTools(backends: Backends, settings: ToolSettings): readonly Tool[] {
  return [
    loc(backends, settings),
    count(),
    facedet(backends, settings),
    seg(backends),
    select(backends),
    classify(backends),
    ocr(backends),
    ...CROPS.map((name) => crop(name, settings)),
    vqa(backends),
    caption(backends),
    list(backends),
    pass('EVAL'),
    pass('RESULT'),
    colorpop(),
    bgblur(settings),
    replace(backends, settings),
    emoji(),
    tag(),
  ]
}
