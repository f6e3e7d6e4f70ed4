import { TINY } from '../../browser/support/site.ts';
import type {} from '../../browser/site/page.ts';
import type { Tab } from './driver.ts';

/** More than the 256 tokens that are worth a file. */
const SYSTEM = 'You are a helpful assistant. Answer in one short sentence, and be kind. '.repeat(
  30,
);

/** Asks after the system prompt. @returns how many tokens of it were read from a KV cache and written for later ones */
export const askAfterSystem = (tab: Tab) =>
  tab.evaluate(
    async ([model, text]) => {
      const prompt_cache_breakpoint = { mode: 'explicit', ttl: '12h' };
      const response = await window.post('chat/completions', {
        model,
        max_tokens: 12,
        temperature: 0,
        messages: [
          { role: 'system', content: [{ type: 'text', text, prompt_cache_breakpoint }] },
          { role: 'user', content: 'Hi' },
        ],
      });
      const { choices, usage } = (await response.json()) as {
        choices: { message: { content: string } }[];
        usage: { prompt_tokens_details: { cached_tokens: number; cache_write_tokens: number } };
      };
      const { cached_tokens: read, cache_write_tokens: written } = usage.prompt_tokens_details;
      return { text: choices[0]?.message.content, read, written };
    },
    [TINY, SYSTEM] as const,
  );
