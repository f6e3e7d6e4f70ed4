import { say } from '../browser/support/chat.ts';
import { GREETING } from '../browser/support/prompts.ts';
import { TINY } from '../browser/support/site.ts';
import { begin, expect, test } from './support/fixtures.ts';

/** In Firefox, `new Worker` inside a worker may hang: with the engine calling it, one of about a hundred loads did. */
const TIMES = 30;

test('a model can be loaded and unloaded again and again', async ({ site, newTab }) => {
  const tab = await newTab(site.url);
  await begin(tab, { model: TINY });
  await tab.evaluate(
    async ([model, times]) => {
      for (let i = 0; i < times; i++) {
        await window.v1.models.unload(model);
        await window.v1.models.load(model);
      }
    },
    [TINY, TIMES] as const,
  );
  expect(await say(tab, 'Hello!')).toBe(GREETING);
});
