import type { AskableClass, Lexicon } from '../lexicon.ts'
import { withArticle } from './words.ts'
import type { Desk } from './question.ts'

/** The slots of a concept: {an}, {the}, {many}, {name}; a number keeps two concepts apart. */
export function nouns(lexicon: Lexicon, id: string, n: '' | '2' = ''): Record<string, string> {
  const concept = lexicon.concept(id)
  return {
    [`an${n}`]: withArticle(concept),
    [`the${n}`]: `the ${concept.label}`,
    [`many${n}`]: concept.plural,
    [`name${n}`]: concept.label,
  }
}

/** True for things that can be counted: with an article and a plural of their own. */
export function countable(lexicon: Lexicon): (id: string) => boolean {
  return (id) => {
    const { article, label, plural } = lexicon.concept(id)
    return article !== '' && plural !== label
  }
}

/** A thing of which one speaks as one: "is the owl", not "is the scissors". */
export function single(lexicon: Lexicon): (id: string) => boolean {
  return (id) => lexicon.concept(id).article !== ''
}

/** Classes that can be asked about: four sure members at least, and no concept of the same name. */
export function askable(lexicon: Lexicon, most = 60): readonly AskableClass[] {
  return lexicon.classes.filter(
    ({ label, members }) =>
      members.size >= 4 && members.size <= most && lexicon.named(label) === undefined,
  )
}

/** A class and one of its members: the hinge where it has a class, else a known one. */
export function memberAndClass(
  desk: Desk,
  most?: number,
): { readonly kind: AskableClass; readonly member: string } | undefined {
  const classes = askable(desk.lexicon, most)
  const of = (id: string): readonly AskableClass[] =>
    classes.filter(({ members }) => members.has(id))
  const member = desk.subject((id) => of(id).length > 0 && single(desk.lexicon)(id))
  return member === undefined ? undefined : { member, kind: desk.stream.pick(of(member)) }
}

/** Concepts that a class question must not meet, members and doubtful ones alike. */
export function allOfClass({ members, disputed }: AskableClass): readonly string[] {
  return [...members, ...disputed]
}
