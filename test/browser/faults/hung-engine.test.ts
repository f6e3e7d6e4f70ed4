import { complete } from '../support/chat.ts';
import { begin, expect, openPage, test, TINY } from '../support/fixtures.ts';
import { untilWaiting } from '../support/models.ts';
import { COUNT, GREETING } from '../support/prompts.ts';
import { startStream, untilEnded } from '../support/streamed.ts';
import { engineOf } from '../support/browser/tabs.ts';

// Models are loaded several times, which is slow on a busy machine.
test.describe.configure({ timeout: 240_000 });

/** Time in which the page finds out that its engine hangs, milliseconds. */
const UNTIL_HUNG_MS = 180_000;

test('a request that the engine hung on fails, and the next engine answers those that waited', async ({
  fresh,
  site,
  hold,
}) => {
  const page = await openPage(fresh, site.url);
  await page.clock.install();
  await begin(page, { model: TINY });
  await hold.at({ tokens: 10 });
  await startStream(page, COUNT);
  await hold.untilHeld();
  const waiting = [1, 2].map(() => complete(page, { temperature: 0 }));
  await untilWaiting(page, 2);
  // It never returns.
  const hanging = engineOf(page)
    .evaluate(() => {
      for (;;);
    })
    .catch(() => 'ended');
  await page.clock.runFor(UNTIL_HUNG_MS);
  expect(await hanging).toBe('ended');
  const answer = await untilEnded(page);
  expect(answer).toMatchObject({ status: 200, error: 'timeout', done: false });
  await hold.release();
  const texts = (await Promise.all(waiting)).map(({ choices }) => choices[0]?.message.content);
  expect(texts).toEqual([GREETING, GREETING]);
});
