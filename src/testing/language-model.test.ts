import { resolveModel, scriptedModel } from '../llm/index.ts'
import { fakeOpenAiServer } from './fake-openai-server.ts'
import { languageModelCases } from './language-model.cases.ts'

languageModelCases('scripted', async (replies) => ({
  model: scriptedModel(
    replies.map(({ cut, ...reply }) => ({
      ...reply,
      usage: { inputTokens: 10, outputTokens: 5 },
      ...(cut === true ? { finish: 'length' as const } : {}),
    })),
  ),
  close: async () => {},
}))

languageModelCases('over HTTP', async (replies) => {
  const server = await fakeOpenAiServer(
    replies.map(({ cut, ...reply }) => ({
      ...reply,
      ...(cut === true ? { finish: 'length' as const } : {}),
    })),
  )
  const baseUrls = { 'openai-compatible': server.baseUrl }
  return { model: resolveModel('openai-compatible/tiny', { baseUrls }), close: server.close }
})
