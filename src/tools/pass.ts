import { signatureOf } from './signature-of.ts'
import type { Tool } from './tool.ts'

/**
 * EVAL and RESULT: their argument as it arrives. The interpreter evaluates expressions and looks up
 * variables, since only it knows the state; here the value only passes.
 */
export function pass(name: 'EVAL' | 'RESULT'): Tool {
  const argument = name === 'EVAL' ? 'expr' : 'var'
  return {
    signature: signatureOf(name),
    run: async (args) => ({ value: args[argument] ?? null }),
  }
}
