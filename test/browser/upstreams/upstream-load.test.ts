import { openHttp2Upstream } from '../../support/servers/http2-upstream.ts';
import { expect, openPage, test } from '../support/fixtures.ts';
import { withUndebugged } from '../support/browser/undebugged.ts';
import { beginWithSlowReader, streamAll } from '../support/upstreams/upstream-load.ts';

const STREAMS = 60;
/** Bytes by which the browser's buffer of an unread answer may still grow. Then it must stop fetching. */
const MAX_HELD_GROWTH = 16e6;

test(`${STREAMS} streams at once go on to an upstream, each whole, and a slow reader holds back only its own`, async ({
  site,
}) => {
  const upstream = await openHttp2Upstream(STREAMS);
  try {
    await withUndebugged(
      async (context) => {
        const page = await openPage(context, site.url);
        await beginWithSlowReader(page, upstream.baseURL);
        expect(await streamAll(page, STREAMS, 0)).toEqual({ count: STREAMS, wrong: [] });
        expect(upstream.most).toBe(STREAMS);
        const slow = () => page.evaluate(() => window.slow);
        const first = await slow();
        const held = upstream.sentBytes - first.bytes;
        await expect.poll(async () => (await slow()).pieces).toBeGreaterThan(first.pieces + 1);
        const last = await slow();
        expect(upstream.sentBytes - last.bytes).toBeLessThan(held + MAX_HELD_GROWTH);
      },
      ['--ignore-certificate-errors'],
    );
  } finally {
    await upstream.close();
  }
});
