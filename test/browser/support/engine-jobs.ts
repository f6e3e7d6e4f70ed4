import type { GenerateJob } from '../../../src/core/protocol/engine.ts';
import { TINY } from './fixtures.ts';

/** A greedy answer to one message, as the service worker asks the engine for it. */
export function generateJob(content: string): GenerateJob {
  return {
    op: 'generate',
    model: TINY,
    prompt: { kind: 'chat', messages: [{ role: 'user', content }], templateOptions: {} },
    sampling: { temperature: 0 },
    stop: [],
  };
}
