import type { Page } from 'playwright/test';
import { askDirectly } from './support/direct.ts';
import { expect, openPage, SMOLLM2, test, TINY } from './support/fixtures.ts';

/** The pieces of a greedy answer through the API, streamed. */
function throughApi(page: Page, model: string, text: string, maxTokens: number): Promise<string[]> {
  return page.evaluate(
    async ([id, content, max_tokens]) => {
      const stream = await window.client.chat.completions.create({
        model: id,
        messages: [{ role: 'user', content }],
        temperature: 0,
        max_tokens,
        stream: true,
      });
      const pieces: string[] = [];
      for await (const { choices } of stream) {
        const piece = choices[0]?.delta.content;
        if (piece) pieces.push(piece);
      }
      return pieces;
    },
    [model, text, maxTokens] as const,
  );
}

test('greedy output through the API is WebLLM’s own, token for token', async ({ fresh, site }) => {
  const page = await openPage(fresh, site.url);
  await page.evaluate((model) => window.begin({ model }), TINY);
  for (const text of ['Count to 30.', 'Tell me a story about a brave cat.', 'Why is it so?']) {
    const pieces = await throughApi(page, TINY, text, 120);
    const direct = await askDirectly(page, {
      pack: `${site.url}packs/tiny-chat/`,
      turns: [`<|im_start|>user\n${text}<|im_end|>\n<|im_start|>assistant\n`],
      maxTokens: 120,
      top: 0,
    });
    expect(pieces).toEqual(direct.pieces);
  }
});

test('SmolLM2 knows the capital of France, as it does with WebLLM alone', async ({
  fresh,
  site,
}) => {
  test.setTimeout(300_000);
  const page = await openPage(fresh, site.url);
  await page.evaluate((model) => window.begin({ model }), SMOLLM2);
  const question = 'What is the capital of France?';
  const pieces = await throughApi(page, SMOLLM2, question, 24);
  expect(pieces.join('')).toContain('Paris');
  await page.evaluate((model) => window.v1.models.unload(model), SMOLLM2);
  const system = 'You are a helpful AI assistant named SmolLM, trained by Hugging Face';
  const direct = await askDirectly(page, {
    pack: `${site.url}packs/smollm2-135m/`,
    turns: [
      `<|im_start|>system\n${system}<|im_end|>\n` +
        `<|im_start|>user\n${question}<|im_end|>\n<|im_start|>assistant\n`,
    ],
    maxTokens: 24,
    top: 0,
  });
  expect(pieces).toEqual(direct.pieces);
});
