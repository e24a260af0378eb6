import type { SeekTool } from './types.ts'

/** What each action does, in one line, as planners read it. */
export const TOOL_LINES: Readonly<Record<SeekTool, string>> = {
  detect: 'find the objects in the picture, to look at one of them alone',
  caption: 'describe the region in a sentence',
  vqa: 'ask a vision model about the region',
  ocr: 'read the text in the region',
  select_object: 'choose another of the detected objects to look at',
  image_search: 'find pictures like the region, with names of what they show',
  web_search: 'search pages by words',
  open_page: 'read a page that was found',
  kb_lookup: 'look up an encyclopaedia, WordNet or the own documents',
  llm_qa: 'ask a language model; its word alone is no source',
}
