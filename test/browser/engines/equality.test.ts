import type { Page } from 'playwright/test';
import { chunksOf } from '../support/chat.ts';
import { askDirectly } from '../support/sites/direct.ts';
import { expect, openStarted, test, TINY } from '../support/fixtures.ts';
import { user } from '../support/prompts.ts';

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
