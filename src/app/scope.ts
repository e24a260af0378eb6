/** What a caller may do: look at everything of its space; make runs, searches and chats; teach, correct and forget. */
export const SCOPES = ['read', 'run', 'learn'] as const
export type Scope = (typeof SCOPES)[number]
