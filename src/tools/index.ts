export type { Tool, ToolContext } from './tool.ts'
