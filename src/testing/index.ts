export { scriptedModel } from '../llm/index.ts'
export type { ScriptedModel, ScriptLine } from '../llm/index.ts'
export type {
  FakeAnswer,
  FakeOpenAiServer,
  FakeRefusal,
  FakeReply,
  FakeRequest,
} from './fake-openai-server.ts'
export { fakeOpenAiServer } from './fake-openai-server.ts'
export type { FakeClock } from './fake-clock.ts'
export { fakeClock } from './fake-clock.ts'
export type { SimulatedClock } from './simulated-clock.ts'
export { simulatedClock } from './simulated-clock.ts'
export type {
  Scenario,
  ScenarioOptions,
  ScenarioProvider,
  ScenarioRun,
  ScenarioToolLine,
} from './scenario.ts'
export { runScenario, scenarioPicture } from './scenario.ts'
export type { FakeSourceServer, SourceAnswer, SourceRequest } from './fake-source-server.ts'
export { fakeSourceServer } from './fake-source-server.ts'
export type { FakeEdit, FakeEditAnswer, FakePictureServer } from './fake-picture-server.ts'
export { fakePictureServer } from './fake-picture-server.ts'
