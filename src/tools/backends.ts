import type { Abortable, Random } from '../base/index.ts'
import type { Image, MaskRle, ObjectRecord } from '../image/index.ts'
import type { ModelStamp, Notice, PromptUse } from '../program/index.ts'
import type { Learnable } from './learnable.ts'
import type { TaughtLook } from './taught.ts'

/** What every back end says about itself; `pupil doctor` prints it. */
export interface Backend {
  /** Such as `photo/centernet` or `hub/owlv2`. */
  readonly name: string
  /** The model files behind it; hashes are filled in once they are loaded. */
  models(): readonly ModelStamp[]
  /** What it can do, a line each. */
  readonly can: readonly string[]
  /** What it cannot, a line each, with what could. */
  readonly cannot: readonly string[]
}

/**
 * A word against a vocabulary. Known: the words of the back end that it stands for, and how it was
 * read if that is not obvious. Not known: the nearest words, and what would know it.
 */
export type WordReading =
  | { readonly known: true; readonly words: readonly string[]; readonly notices: readonly Notice[] }
  | UnknownWord

export interface UnknownWord {
  readonly known: false
  readonly word: string
  /** The nearest words that it knows, best first. */
  readonly near: readonly string[]
  /** One sentence: what would know the word. */
  readonly would: string
}

/** The words a back end knows. `words` is null for an open vocabulary: it knows any. */
export interface Vocabulary {
  readonly words: readonly string[] | null
  read(word: string): Promise<WordReading>
}

/** Something found: fractional pixels of the given picture, not yet rounded or clipped. */
export interface Finding {
  readonly box: readonly [x1: number, y1: number, x2: number, y2: number]
  /** 0..1, as the model gives it; to be compared with the detector's own threshold. */
  readonly score: number
  /** The back end's own word for it. */
  readonly name: string
}

/** The three outcomes of looking for a word, never mixed: found, absent (no findings), not known. */
export type Detection =
  | {
      readonly known: true
      readonly findings: readonly Finding[]
      readonly notices: readonly Notice[]
      /** What was taught and took part. */
      readonly uses?: readonly PromptUse[]
    }
  | UnknownWord

/** Finds objects by name. */
export interface Detector extends Backend {
  readonly vocabulary: Vocabulary
  /** Scores must be above it (compared in 32-bit floats); the language's 0.1 is for open vocabularies. */
  readonly threshold: number
  /** Finds the objects of one name; scores below the threshold may be among them. */
  detect(image: Image, word: string, options?: Abortable): Promise<Detection>
  /** Everything it knows, for SEG and CAPTION; absent from open-vocabulary detectors. */
  detectAll?(image: Image, options?: Abortable): Promise<readonly Finding[]>
}

/** A face with six points: right eye (the person's), left eye, nose, mouth, right ear, left ear. */
export interface FaceFinding {
  readonly box: readonly [x1: number, y1: number, x2: number, y2: number]
  readonly score: number
  readonly points: readonly (readonly [x: number, y: number])[]
}

export interface FaceDetector extends Backend {
  readonly threshold: number
  faces(image: Image, options?: Abortable): Promise<readonly FaceFinding[]>
}

/** Whose face: one of those known, one to ask about, or none of them (photo-starter §6). */
export type Identity =
  | {
      readonly outcome: 'known' | 'ask'
      readonly person: string
      readonly distance: number
      /** The lesson that taught the person. */
      readonly lesson?: string
    }
  | { readonly outcome: 'unknown'; readonly distance: number | null }

/** Recognises people it was shown. Off unless a space has turned it on. */
export interface FaceIdentifier extends Backend {
  /** Whether the user turned it on; off: `embed` and `identify` throw `T_UNAVAILABLE`. */
  enabled(): Promise<boolean>
  people(): Promise<readonly string[]>
  /** 128 numbers for the face; Euclidean distance. */
  embed(image: Image, face: FaceFinding, options?: Abortable): Promise<Float32Array>
  identify(image: Image, face: FaceFinding, options?: Abortable): Promise<Identity>
}

/** A person known by face; kept by `memory`, never exported or logged. */
export interface KnownPerson {
  readonly name: string
  readonly vectors: readonly Float32Array[]
  /** Faces that someone said are not this person. */
  readonly tombstones: readonly Float32Array[]
  /** The lesson that taught them last. */
  readonly lesson?: string
}

/** Where known people come from; null while identity is off. */
export type PeopleSource = () => Promise<readonly KnownPerson[] | null>

/** A region with a name. */
export interface Segment {
  readonly mask: MaskRle
  /** Raw, such as `grass-merged`. */
  readonly label: string
  readonly score: number | null
}

export interface Segmenter extends Backend {
  readonly vocabulary: Vocabulary
  /** @param options.concepts  what is looked for: prompts that were learnt for it act */
  segment(
    image: Image,
    options?: Abortable & { readonly concepts?: readonly string[] },
  ): Promise<{
    readonly segments: readonly Segment[]
    readonly notices: readonly Notice[]
    /** What was taught and took part. */
    readonly uses?: readonly PromptUse[]
  }>
  /**
   * The mask of what a box holds; plus and minus clicks refine it. Pixels of the picture. A `quick`
   * one is coarse: good enough to measure colours.
   */
  cut?(
    image: Image,
    seeds: CutSeeds,
    options?: Abortable & { readonly quick?: boolean },
  ): Promise<MaskRle>
}

export interface CutSeeds {
  readonly box: readonly [x1: number, y1: number, x2: number, y2: number]
  readonly plus?: readonly (readonly [x: number, y: number])[]
  readonly minus?: readonly (readonly [x: number, y: number])[]
}

/** How well a text fits each object: similarities in the order of the objects, null where it does not apply. */
export type Match =
  | {
      readonly known: true
      readonly scores: readonly (number | null)[]
      readonly notices: readonly Notice[]
      readonly uses?: readonly PromptUse[]
    }
  | UnknownWord

/** Compares objects with texts (SELECT, CLASSIFY): CLIP's part, or what stands in for it. */
export interface Matcher extends Backend {
  /**
   * An object fits a single class only when it scores above this: a neutral text that is compared
   * like the others, or a fixed score.
   */
  readonly neutral: { readonly text: string } | { readonly score: number }
  /** One `Match` for each text, cosines or what is comparable to them, -1..1. */
  match(
    image: Image,
    objects: readonly ObjectRecord[],
    texts: readonly string[],
    options?: Abortable,
  ): Promise<readonly Match[]>
}

/** An answer, an honest "I do not know", or a question it cannot answer at all. */
export type Answer =
  | {
      readonly outcome: 'answered'
      /** As the model gave it; VQA polishes it and keeps this one in the trace. */
      readonly answer: string
      /** 0..1, calibrated; null where there is none. */
      readonly score: number | null
      /** How it was found, for the trace. */
      readonly how?: string
      readonly notices?: readonly Notice[]
      readonly uses?: readonly PromptUse[]
    }
  | { readonly outcome: 'unknown'; readonly how?: string; readonly notices?: readonly Notice[] }
  | {
      readonly outcome: 'unavailable'
      /** What it cannot do, one sentence. */
      readonly reason: string
      /** What would answer it, one sentence. */
      readonly would: string
    }

export interface Answerer extends Backend {
  answer(image: Image, question: string, options?: Abortable): Promise<Answer>
}

export interface Captioner extends Backend {
  caption(
    image: Image,
    options?: Abortable,
  ): Promise<{
    readonly text: string
    readonly score: number | null
    readonly notices: readonly Notice[]
  }>
}

/** A piece of text read in a picture, in reading order; box in fractional pixels. */
export interface TextLine {
  readonly text: string
  readonly score: number
  /** Which line of the text it belongs to, from 0: pieces side by side share one. */
  readonly line: number
  readonly box: readonly [x1: number, y1: number, x2: number, y2: number]
  /** Corners clockwise from the text's top left. */
  readonly corners: readonly (readonly [x: number, y: number])[]
}

export interface Reader extends Backend {
  read(image: Image, options?: Abortable): Promise<readonly TextLine[]>
}

/** What goes into the hole. */
export interface FillRequest {
  /** As written in the program. */
  readonly prompt: string
  readonly steps: number
  readonly guidance: number
  readonly random: Random
}

/** Fills a hole; REPLACE composites what comes back, so pixels outside the mask never change. */
export interface Filler extends Backend {
  /** Whether it can do this: remove what is there, or put there what the prompt names. */
  readonly fills: 'removal' | 'prompt' | 'both'
  /**
   * @returns a picture of the same size and frame
   * @throws UserFault `T_UNAVAILABLE` for a hole or prompt it cannot do
   */
  fill(image: Image, mask: MaskRle, request: FillRequest, options?: Abortable): Promise<Image>
}

/** Lists names from knowledge: a text whose lines or commas separate the items. */
export type Listing =
  | { readonly known: true; readonly text: string; readonly notices: readonly Notice[] }
  | { readonly known: false; readonly would: string }

export interface Lister extends Backend {
  list(query: string, max: number, options?: Abortable): Promise<Listing>
}

/**
 * The back ends of the tools, tried in order where there are several; a tool without one says so
 * (`T_UNAVAILABLE`). A later one is tried only when an earlier one does not know the word or
 * question, never because it failed.
 */
export interface Backends {
  readonly detectors: readonly Detector[]
  readonly faces?: FaceDetector
  readonly identity?: FaceIdentifier
  readonly segmenters: readonly Segmenter[]
  readonly matchers: readonly Matcher[]
  readonly answerers: readonly Answerer[]
  readonly captioners: readonly Captioner[]
  readonly reader?: Reader
  readonly fillers: readonly Filler[]
  readonly listers: readonly Lister[]
  /** What people taught by example; a person's answer comes before any model's. */
  readonly taught?: TaughtLook
  /** Models behind these tools for which prompts can be learnt. */
  readonly learnables?: readonly Learnable[]
}

/** No back end at all: every tool that needs one says so. */
export const NO_BACKENDS: Backends = {
  detectors: [],
  segmenters: [],
  matchers: [],
  answerers: [],
  captioners: [],
  fillers: [],
  listers: [],
}
