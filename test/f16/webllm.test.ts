import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '../browser/support/chat.ts';
import { listed } from '../browser/support/models.ts';
import { CAPITAL, GREETING, PARIS } from '../browser/support/prompts.ts';
import { PACKS, replaceFile, TINY } from '../browser/support/site.ts';
import { begin } from '../browsers/support/fixtures.ts';
import { ASKED_WHETHER_DONE, expect, test } from './fixtures.ts';

interface Manifest {
  variants: { engine: string; needs: object }[];
}

/** Says of tiny-chat that it needs `shader-f16`. */
function manifest(): string {
  const file = join(PACKS['tiny-chat'] ?? '', 'manifest.json');
  const whole: Manifest = JSON.parse(readFileSync(file, 'utf8'));
  const variants = whole.variants.map((variant) => ({
    ...variant,
    ...(variant.engine === 'webllm' && { needs: { ...variant.needs, shaderF16: true } }),
  }));
  return JSON.stringify({ ...whole, variants });
}

// The model's kernels compute in 32 bits: our compiler makes no others (models/library).
test('WebLLM loads a model that needs shader-f16, and it answers', async ({ tab, site }) => {
  site.intercept = replaceFile('/packs/tiny-chat/manifest.json', manifest());
  await begin(tab, { engines: ['webllm'], model: TINY });
  expect(await tab.evaluate(() => window.v1.device)).toMatchObject({ shaderF16: true });
  expect(await listed(tab, TINY)).toMatchObject({
    state: 'loaded',
    obstacles: [],
    variant: { engine: 'webllm' },
  });
  expect(await say(tab, 'Hello!')).toBe(GREETING);
  expect(await say(tab, CAPITAL)).toBe(PARIS);
  await expect.poll(() => site.requests).toContain(ASKED_WHETHER_DONE);
});
