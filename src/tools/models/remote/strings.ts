/** What a worker of the reference says in place of any reason. */
export const SERVER_ERROR =
  '**NETWORK ERROR DUE TO HIGH TRAFFIC. PLEASE REGENERATE OR REFRESH THIS PAGE.**'

/** What it appends to the prompt when nothing of the context is left; its code is 0 all the same. */
export const OVER_BUDGET = 'Exceeds max token length. Please start a new conversation, thanks.'

/** Words of the reference around results and presets, `{api}`, `{tool}` to be filled (llava-plus §2.3, §7.3). */
export const WIRE = {
  toolUseValue: 'I will use {tool} to help to answer the question. Please wait for a moment.',
  answerThoughts: 'Thanks to the output of {tool}. I can answer the question better.',
  resultPrefix: '{api} model outputs: ',
  resultSuffix: '\n\nPlease summarize the model outputs and answer my first question: ',
  trainingPrefix: '{tool} output: ',
  trainingSuffix: '\n\nAnswer my first question: ',
  noText: 'The {api} has processed the image.',
  inputBox: '\nInput box: ',
  cursor: '\u258c',
  thoughts: '"thoughts🤔"',
  actions: '"actions🚀"',
  value: '"value👉"',
} as const

/** The preset with its places filled. */
export function filled(text: string, name: string): string {
  return text.replace(/\{(?:api|tool)\}/, () => name)
}

/** What the codes of workers and controllers mean (llava-plus, golden `error_codes`). */
export const ERROR_CODES: Readonly<Record<number, string>> = {
  0: 'ok',
  1: 'the model worker failed',
  2: 'no worker has that model',
  3: 'the worker cannot be reached',
  40001: 'the request is not valid',
  40101: 'the key is not valid',
  40102: 'the key is wrong',
  40103: 'there is no permission',
  40301: 'the model is not valid',
  40302: 'a parameter is out of range',
  40303: 'the context is too long',
  42901: 'too many requests',
  42902: 'the quota is used up',
  42903: 'the server is overloaded',
  50001: 'the tool worker failed',
  50002: 'the accelerator has no memory left',
  50003: 'a web request failed',
  50004: 'a stream failed',
  50005: 'no worker has that model',
  50006: 'the worker took too long',
}
