import type { ApiRoute } from '../api/route.ts'
import { aboutRoutes } from './about.ts'
import { BLOB_ROUTES } from './blobs.ts'
import { CHAT_ROUTES } from './chats.ts'
import { JOB_ROUTES } from './jobs.ts'
import { LEARNING_ROUTES } from './learning.ts'
import { PEOPLE_ROUTES } from './people.ts'
import { RUN_ROUTES } from './runs.ts'
import { SEEK_ROUTES } from './seek.ts'
import { SKILL_ROUTES } from './skills.ts'
import { TEACHING_ROUTES } from './teaching.ts'

/** Every address of the JSON API. */
export function apiRoutes(): readonly ApiRoute[] {
  const routes = [
    ...[...RUN_ROUTES, ...SEEK_ROUTES, ...CHAT_ROUTES],
    ...[...TEACHING_ROUTES, ...LEARNING_ROUTES, ...PEOPLE_ROUTES],
    ...[...JOB_ROUTES, ...BLOB_ROUTES, ...SKILL_ROUTES],
  ]
  return [...routes, ...aboutRoutes(routes)]
}
