import { TINY } from '../browser/support/site.ts';
import type { Tab } from './support/driver.ts';
import { begin, expect, test } from './support/fixtures.ts';

const DISK = { model: TINY, promptCache: { disk: true } };
/** More than the 256 tokens that are worth a file. */
const SYSTEM = 'You are a helpful assistant. Answer in one short sentence, and be kind. '.repeat(
  30,
);

const ask = (tab: Tab) =>
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

test('a prompt is on disk where the browser has files, and computed where it has none', async ({
  site,
  newTab,
}) => {
  const tab = await newTab(site.url);
  await begin(tab, DISK);
  const first = await ask(tab);
  expect(first.read).toBe(0);
  expect(first.written).toBeGreaterThan(256);
  const hasFiles = await tab.evaluate(
    () => 'storage' in navigator && 'createWritable' in FileSystemFileHandle.prototype,
  );
  const size = await tab.evaluate(() => window.v1.promptCache.size());
  expect(size.prompts).toBe(hasFiles ? 1 : 0);
  const next = await newTab(site.url);
  await tab.close();
  await begin(next, DISK);
  const kept = { read: first.written, written: 0 };
  expect(await ask(next)).toEqual({ ...first, ...(hasFiles && kept) });
  await next.evaluate(() => window.v1.promptCache.clear());
  expect(await next.evaluate(() => window.v1.promptCache.size())).toEqual({
    prompts: 0,
    bytes: 0,
  });
});
