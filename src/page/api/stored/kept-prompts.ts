import type { PromptsRequest } from '../../../core/operations/prompt-caching.ts';
import { onlyEvent, type Engine } from '../../../core/port/engine.ts';
import type { PromptCache } from './kept-prompts-api.ts';

/** What a page may do with the prompts on disk. */
export function promptCache(engine: Engine): PromptCache & { sweep(): Promise<void> } {
  const ask = (action: PromptsRequest['action']) =>
    onlyEvent(engine, { op: 'prompts', action }, new AbortController().signal);
  return {
    size: async () => {
      const { prompts, bytes } = await ask('size');
      return { prompts, bytes };
    },
    clear: async () => void (await ask('clear')),
    /** Deletes what nobody can use any more. */
    sweep: async () => void (await ask('sweep')),
  };
}
