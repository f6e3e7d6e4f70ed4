import { expect, openPage, test } from '../browser/support/fixtures.ts';
import { withUndebugged } from '../browser/support/browser/undebugged.ts';
import { beginWithSlowReader, streamAll } from '../browser/support/upstreams/upstream-load.ts';
import { openHttp2Upstream } from '../support/servers/http2-upstream.ts';
import { measurePage } from './memory.ts';

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 5);
const STREAMS = 200;
const ROUNDS = 4;
const MAX_GROWTH = 0.05;
/** Bytes by which the browser's buffer of an unread answer may still grow. Then it must stop fetching. */
const MAX_HELD_GROWTH = 16e6;

test(`${STREAMS} streams at once go on to an upstream for ${MINUTES} minutes, each whole, and memory stays`, async ({
  site,
}) => {
  const upstream = await openHttp2Upstream();
  try {
    await withUndebugged(
      async (context) => {
        const page = await openPage(context, site.url);
        await beginWithSlowReader(page, upstream.baseURL);
        const measures = [];
        const held: number[] = [];
        let whole = 0;
        for (let round = 0; round < ROUNDS; round++) {
          const { wrong, count } = await streamAll(page, STREAMS, (MINUTES * 60_000) / ROUNDS);
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
