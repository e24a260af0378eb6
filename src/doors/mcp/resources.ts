import { ResourceNotFoundError } from '@modelcontextprotocol/server'
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from '@modelcontextprotocol/server'
import { blobAddress, runDocument } from '../../app/index.ts'
import type { Pupil } from '../../app/index.ts'
import { isFault } from '../../base/index.ts'
import { runAddress } from './run-result.ts'

export const TEMPLATES: ListResourceTemplatesResult = {
  resourceTemplates: [
    {
      ...{ uriTemplate: 'pupil://blob/{hash}', name: 'picture', title: 'A picture' },
      ...{ description: 'A picture that a run saw or made', mimeType: 'image/png' },
    },
    {
      ...{ uriTemplate: 'pupil://run/{id}', name: 'run', title: 'A run' },
      ...{ description: 'Every step of a run as JSON', mimeType: 'application/json' },
    },
  ],
}

/** Runs a page; older ones come with the cursor. */
const PAGE = 50

export async function listResources(
  pupil: Pupil,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const runs = await pupil.runs.list({ limit: PAGE, before: cursor })
  const last = runs.at(-1)
  return {
    resources: runs.map(({ id, instruction, family }) => ({
      ...{ uri: runAddress(id), name: id, mimeType: 'application/json' },
      title: instruction === '' ? `a program (${family})` : instruction,
    })),
    ...(runs.length === PAGE && last !== undefined ? { nextCursor: last.id } : {}),
  }
}

/** @throws ResourceNotFoundError for an address that names nothing here */
export async function readResource(pupil: Pupil, uri: string): Promise<ReadResourceResult> {
  const [, kind, name] = /^pupil:\/\/(blob|run)\/(\w+)$/.exec(uri) ?? []
  if (kind === undefined || name === undefined) throw new ResourceNotFoundError(uri)
  try {
    if (kind === 'run') {
      const document = runDocument(await pupil.runs.get(name), { place: blobAddress })
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(document) }] }
    }
    const { bytes, type } = await pupil.pictures.file(name)
    const blob = Buffer.from(bytes).toString('base64')
    return { contents: [{ uri, mimeType: type, blob }] }
  } catch (error) {
    const missing = isFault(error) && ['E_NO_RUN', 'E_NO_PICTURE'].includes(error.code)
    throw missing ? new ResourceNotFoundError(uri, error.message) : error
  }
}
