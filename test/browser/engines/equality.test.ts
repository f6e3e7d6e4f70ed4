import type { Page } from 'playwright/test';
import { chunksOf } from '../support/chat.ts';
import { askDirectly } from '../support/sites/direct.ts';
import { expect, openStarted, SMOLLM2, test, TINY } from '../support/fixtures.ts';
import { unload } from '../support/models.ts';
import { CAPITAL, user } from '../support/prompts.ts';

/** The pieces of a greedy answer that is streamed through the API. */
async function throughApi(page: Page, model: string, text: string, maxTokens: number) {
  const chunks = await chunksOf(page, {
    model,
    messages: [user(text)],
    temperature: 0,
    max_tokens: maxTokens,
  });
  const pieces = chunks.map(({ choices }) => choices[0]?.delta.content ?? '');
  return pieces.filter((piece) => piece !== '');
}

test('greedy output through the API is the same as WebLLM’s, token for token', async ({
  fresh,
  site,
}) => {
  const page = await openStarted(fresh, site.url, { model: TINY });
  for (const text of ['Count to 30.', 'Tell me a story about a brave cat.', 'Why is it so?']) {
    const pieces = await throughApi(page, TINY, text, 120);
    const direct = await askDirectly(page, {
      pack: `${site.url}packs/tiny-chat/`,
      turns: [`<|im_start|>user\n${text}<|im_end|>\n<|im_start|>assistant\n`],
      maxTokens: 120,
      top: 0,
    });
    expect(pieces).not.toEqual([]);
    expect(pieces).toEqual(direct.pieces);
  }
});

test('SmolLM2 knows the capital of France, with the same tokens as in WebLLM alone', async ({
  fresh,
  site,
}) => {
  test.setTimeout(300_000);
  const page = await openStarted(fresh, site.url, { model: SMOLLM2 });
  const pieces = await throughApi(page, SMOLLM2, CAPITAL, 24);
  expect(pieces.join('')).toContain('Paris');
  await unload(page, SMOLLM2);
  const system = 'You are a helpful AI assistant named SmolLM, trained by Hugging Face';
  const direct = await askDirectly(page, {
    pack: `${site.url}packs/smollm2-135m/`,
    turns: [
      `<|im_start|>system\n${system}<|im_end|>\n` +
        `<|im_start|>user\n${CAPITAL}<|im_end|>\n<|im_start|>assistant\n`,
    ],
    maxTokens: 24,
    top: 0,
  });
  expect(pieces).toEqual(direct.pieces);
});
