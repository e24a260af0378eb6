/**
 * Text that was read in a picture or written by a model, so that it can make no link, picture or element: a chat that
 * shows markdown would load a picture's address and so tell its owner what was said.
 */
export function safeMarkdown(text: string): string {
  return text.replace(/\](\s*)([([:])/g, ']$1\\$2').replace(/<(?=[a-z/!?])/gi, '\\<')
}
