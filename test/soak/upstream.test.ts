import type { Page } from 'playwright/test';
import { expect, openPage, test } from '../browser/support/fixtures.ts';
import { withUndebugged } from '../browser/support/undebugged.ts';
import { EVENTS, MODEL, openHttp2Upstream } from './http2-upstream.ts';
import { measurePage } from './memory.ts';

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 5);
const STREAMS = 200;
const ROUNDS = 4;
const MAX_GROWTH = 0.05;
/** The browser holds much of an answer that nobody reads, but it must stop to fetch more; bytes. */
const MAX_HELD_GROWTH = 16e6;

test(`${STREAMS} streams at once go on to an upstream for ${MINUTES} minutes, each whole, and memory stays`, async ({
  site,
}) => {
  const upstream = await openHttp2Upstream();
  try {
    await withUndebugged(
      async (context) => {
        const page = await openPage(context, site.url);
        await page.evaluate(
          ([baseURL, model]) =>
            window.begin({
              upstreams: [
                { name: 'soak', baseURL, models: [model], headers: () => ({ authorization: 'x' }) },
              ],
            }),
          [upstream.baseURL, MODEL] as const,
        );
        await readSlowly(page);
        const measures = [];
        const held: number[] = [];
        let whole = 0;
        for (let round = 0; round < ROUNDS; round++) {
          const { wrong, count } = await streamAll(page, (MINUTES * 60_000) / ROUNDS);
          expect(wrong).toEqual([]);
          whole += count;
          const memory = await measurePage(page);
          measures.push(memory);
          const { pieces, bytes } = await page.evaluate(() => window.slow);
          expect(pieces).toBeGreaterThan(0);
          held.push(upstream.sentBytes - bytes);
          const [heap, all] = [memory.page, memory.renderers].map((size) =>
            (size / 1e6).toFixed(2),
          );
          process.stdout.write(
            `round ${round + 1}: ${whole} whole streams, ${upstream.most} at once; page ${heap} MB, renderers ${all} MB\n`,
          );
        }
        expect(upstream.most).toBe(STREAMS);
        const [heldAtFirst = 0, heldAtLast = 0] = [held.at(0), held.at(-1)];
        expect(heldAtLast).toBeLessThan(heldAtFirst + MAX_HELD_GROWTH);
        const [first, last] = [measures.at(0), measures.at(-1)];
        for (const name of ['page', 'renderers'] as const) {
          expect(last?.[name], name).toBeLessThan((first?.[name] ?? 0) * (1 + MAX_GROWTH));
        }
      },
      ['--ignore-certificate-errors'],
    );
  } finally {
    await upstream.close();
  }
});

declare global {
  interface Window {
    /** What has been read of the endless answer. */
    slow: { pieces: number; bytes: number };
  }
}

/** Begins an answer without an end, of which a piece is read each second. */
async function readSlowly(page: Page): Promise<void> {
  await page.evaluate(async (model) => {
    window.slow = { pieces: 0, bytes: 0 };
    const { body } = await window.post('audio/speech', { model, seed: 0, endless: true });
    const reader = body?.getReader();
    const read = async () => {
      const { value } = (await reader?.read()) ?? {};
      if (!value) return;
      window.slow.pieces++;
      window.slow.bytes += value.length;
      setTimeout(() => void read(), 1000);
    };
    await read();
  }, MODEL);
}

/** Lets so many clients read one stream after the other until the time is over. */
function streamAll(page: Page, ms: number): Promise<{ count: number; wrong: string[] }> {
  return page.evaluate(
    async ([model, streams, events, time]) => {
      const end = performance.now() + time;
      const wrong: string[] = [];
      let count = 0;
      const stream = async () => {
        const seed = Math.floor(Math.random() * 1e9);
        const messages = [{ role: 'user' as const, content: 'Hi' }];
        const answer = await window.client.chat.completions.create({
          ...{ model, messages, seed, stream: true },
        });
        let text = '';
        for await (const { choices } of answer) text += choices[0]?.delta.content ?? '';
        const expected = Array.from({ length: events }, (_, event) => `${seed}.${event} `).join('');
        if (text !== expected) wrong.push(`${text.length} of ${expected.length} characters`);
        count++;
      };
      const client = async () => {
        while (performance.now() < end) {
          await stream().catch((error: unknown) => wrong.push(String(error)));
        }
      };
      await Promise.all(Array.from({ length: streams }, client));
      return { count, wrong: wrong.slice(0, 5) };
    },
    [MODEL, STREAMS, EVENTS, ms] as const,
  );
}
