import type { Page } from 'playwright/test';
import * as z from 'zod';
import { postJson } from '../support/chat.ts';
import { expect, openStarted, test, TINY } from '../support/fixtures.ts';

const SYSTEM =
  'You are a helpful assistant. Answer in one short sentence, and be kind to everyone.';
const KEEP = { mode: 'explicit' };

const Answer = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })),
  usage: z.object({
    prompt_tokens: z.number(),
    prompt_tokens_details: z.object({ cached_tokens: z.number(), cache_write_tokens: z.number() }),
  }),
});

/** Asks after a system prompt. @param breakpoint - at its end */
async function ask(page: Page, mode: 'implicit' | 'explicit', breakpoint?: object) {
  const body = await postJson(page, '/chat/completions', {
    model: TINY,
    max_tokens: 8,
    temperature: 0,
    prompt_cache_options: { mode },
    messages: [
      {
        role: 'system',
        content: [{ type: 'text', text: SYSTEM, prompt_cache_breakpoint: breakpoint }],
      },
      { role: 'user', content: 'Hi' },
    ],
  });
  const { choices, usage } = Answer.parse(body);
  const { cached_tokens: read, cache_write_tokens: written } = usage.prompt_tokens_details;
  return { text: choices[0]?.message.content, prompt: usage.prompt_tokens, read, written };
}

test('prompts are kept up to breakpoints where the engine can copy, and explicit requests leave nothing else', async ({
  fresh,
  site,
  engine,
}) => {
  const page = await openStarted(fresh, site.url, { model: TINY });
  const alone = await ask(page, 'explicit');
  expect(alone).toMatchObject({ read: 0, written: 0 });
  expect(await ask(page, 'explicit')).toEqual(alone);
  const first = await ask(page, 'explicit', KEEP);
  expect(first).toMatchObject({ read: 0, text: alone.text });
  expect(first.written > 0).toBe(engine === 'llamacpp');
  expect(await ask(page, 'explicit', KEEP)).toEqual({ ...first, read: first.written, written: 0 });
  const shared = await ask(page, 'implicit');
  expect(shared).toMatchObject({ read: first.written, text: alone.text });
  expect(await ask(page, 'implicit')).toEqual({ ...shared, read: shared.prompt - 1 });
});
