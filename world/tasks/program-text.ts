import { RELATION_WORDS } from './words.ts'
import type { SideRelation } from './words.ts'

/** A text of our language. */
export function quoted(text: string): string {
  return text.includes("'") ? `"${text}"` : `'${text}'`
}

/** Lines of a program with fresh names, in the way our demonstrations write them. */
export class ProgramText {
  readonly #lines: string[] = []
  readonly #used = new Map<string, number>()

  #step(prefix: string, call: string): string {
    const n = this.#used.get(prefix) ?? 0
    this.#used.set(prefix, n + 1)
    this.#lines.push(`${prefix}${n}=${call}`)
    return `${prefix}${n}`
  }

  loc(object: string, image = 'IMAGE'): string {
    return this.#step('BOX', `LOC(image=${image},object=${quoted(object)})`)
  }

  crop(box: string, image = 'IMAGE', tool = 'CROP'): string {
    return this.#step('IMAGE', `${tool}(image=${image},box=${box})`)
  }

  /** The part of the picture that lies so from the only object of a name. */
  beside(relation: SideRelation, anchor: string, image = 'IMAGE'): string {
    return this.crop(this.loc(anchor, image), image, RELATION_WORDS[relation].crop)
  }

  /** A half of the picture. */
  half(side: 'LEFT' | 'RIGHT' | 'TOP' | 'BOTTOM'): string {
    return this.crop(this.loc(side))
  }

  count(object: string, image = 'IMAGE'): string {
    return this.#step('ANSWER', `COUNT(box=${this.loc(object, image)})`)
  }

  vqa(question: string, image = 'IMAGE'): string {
    return this.#step('ANSWER', `VQA(image=${image},question=${quoted(question)})`)
  }

  evaluate(expression: string): string {
    const text = expression.includes("'") ? `"${expression}"` : `'${expression}'`
    return this.#step('ANSWER', `EVAL(expr=${text})`)
  }

  /** Any other call that gives objects or a picture. */
  call(prefix: 'OBJ' | 'IMAGE' | 'LIST', call: string): string {
    return this.#step(prefix, call)
  }

  result(variable: string, name = 'FINAL_RESULT'): string {
    return [...this.#lines, `${name}=RESULT(var=${variable})`].join('\n')
  }
}
