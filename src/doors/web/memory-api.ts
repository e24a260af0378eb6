import type { JobDocument, StudyGraph } from '../../app/index.ts'
import { answer } from './api.ts'
import type { Example, Lesson } from './correct-api.ts'

/** An example that was learnt from. */
export interface ConceptExample extends Example {
  readonly id: string
  readonly lesson: string
  readonly author: string
  readonly createdAt: number
  /** Whether it acts now. */
  readonly acts: boolean
}

export interface ConceptCard {
  readonly tool: string
  readonly concept: string
  readonly versions: number
  readonly acting: readonly number[]
  readonly positives: number
  readonly negatives: number
  readonly changedAt: number
  readonly examples: readonly ConceptExample[]
}

export interface ConceptDetail {
  readonly tool: string
  readonly concept: string
  readonly lessons: readonly Lesson[]
  readonly examples: readonly ConceptExample[]
}

export interface Demonstration {
  readonly id: string
  readonly family: string
  readonly instruction: string
  readonly program?: string
  readonly verdict: 'right' | 'wrong'
  readonly critique?: string
  readonly score: number
  readonly origin: 'start' | 'run' | 'human'
}

export interface Decision {
  readonly runId: string
  readonly step: number
  readonly at: number
  readonly question: string
  readonly stateBefore: string
  readonly chosen: { readonly tool: string }
  readonly verdict: string
  readonly private: boolean
}

interface Page<T> {
  readonly items: readonly T[]
  readonly next?: string
}

/** Reads a page of a list that the API calls by `name`. */
function pageOf<T>(name: string): (address: string) => Promise<Page<T>> {
  return async (address) => {
    const { next, ...rest } = await answer<Readonly<Record<string, unknown>>>(fetch(address))
    const items = (rest[name] ?? []) as readonly T[]
    return typeof next === 'string' ? { items, next } : { items }
  }
}

export const readConcepts = pageOf<ConceptCard>('concepts')
export const readLessons = pageOf<Lesson>('lessons')
export const readDemonstrations = pageOf<Demonstration>('demonstrations')
export const readDecisions = pageOf<Decision>('decisions')

export function readConcept(tool: string, concept: string): Promise<ConceptDetail> {
  return answer<ConceptDetail>(fetch(conceptAddress(tool, concept)))
}

/** Lets a version act and takes out what came after; 0 takes everything out. */
export function rollBack(tool: string, concept: string, version: number): Promise<ConceptDetail> {
  return answer<ConceptDetail>(post(`${conceptAddress(tool, concept)}/rollback`, { version }))
}

/** Removes everything taught about a concept, for good. */
export async function forget(concept: string): Promise<number> {
  const { lessons } = await answer<{ lessons: readonly string[] }>(post('/v1/forget', { concept }))
  return lessons.length
}

export function importLesson(zip: Blob): Promise<Lesson> {
  const headers = { 'content-type': 'application/zip' }
  return answer<Lesson>(fetch('/v1/lessons/import', { method: 'POST', headers, body: zip }))
}

export async function removeDemonstration(id: string): Promise<void> {
  await answer(fetch(`/v1/demonstrations/${encodeURIComponent(id)}`, { method: 'DELETE' }))
}

export function readGraph(): Promise<Pick<StudyGraph, 'edges'>> {
  return answer<Pick<StudyGraph, 'edges'>>(fetch('/v1/decisions/graph'))
}

/** The job that tunes prompts for a lesson, where there is one. */
export async function jobOf(lesson: string): Promise<JobDocument | undefined> {
  const { jobs } = await answer<{ jobs: readonly JobDocument[] }>(fetch('/v1/jobs?limit=50'))
  return jobs.find((one) => one.lesson === lesson)
}

/** Hears how a job goes on until it ends. @returns hangs up */
export function listenToJob(id: string, tell: (job: JobDocument) => void): () => void {
  const source = new EventSource(`/v1/jobs/${id}/events`)
  const hear = (event: Event): void =>
    tell(JSON.parse((event as MessageEvent<string>).data) as JobDocument)
  source.addEventListener('progress', hear)
  source.addEventListener('finish', (event) => {
    hear(event)
    source.close()
  })
  return () => source.close()
}

function conceptAddress(tool: string, concept: string): string {
  return `/v1/concepts/${encodeURIComponent(tool)}/${encodeURIComponent(concept)}`
}

function post(address: string, body: unknown): Promise<Response> {
  return fetch(address, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify(body),
  })
}
