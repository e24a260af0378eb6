import type { CommandSpec } from './command.ts'

export const COMPLETION_COMMAND: CommandSpec = {
  name: 'completion',
  about: 'print a script with which a shell completes commands and options',
  arguments: [{ name: 'shell', about: 'bash, zsh or fish' }],
  examples: ['pupil completion bash', 'pupil completion zsh', 'pupil completion fish'],
  more: 'In ~/.bashrc: eval "$(pupil completion bash)". In fish: pupil completion fish | source',
  load: () => import('./commands/completion.ts'),
}
