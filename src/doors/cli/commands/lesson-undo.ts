import { lessonCommand } from './lesson.ts'

export const run = lessonCommand('undo')
