import { complete } from '../support/chat.ts';
import { begin, expect, openPage, test, TINY } from '../support/fixtures.ts';
import { untilWaiting } from '../support/models.ts';
import { COUNT, GREETING } from '../support/prompts.ts';
import { startStream, untilEnded } from '../support/streamed.ts';

// Models are loaded several times, which is slow on a busy machine.
test.describe.configure({ timeout: 240_000 });

/** Time between two signs of life that the page asks its engine for, milliseconds. */
const PING_MS = 10_000;

test('requests that the engine hung on fail, and the next engine answers those that waited', async ({
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
  // Three of them are written together with the stream.
  const others = Promise.allSettled([1, 2, 3, 4, 5].map(() => complete(page, { temperature: 0 })));
  await untilWaiting(page, 5);
  hold.hang('engine.js');
  const hasEnded = async () => {
    await page.clock.runFor(PING_MS);
    return page.evaluate(() => window.streamed.ended);
  };
  await expect.poll(hasEnded, { timeout: 120_000 }).toBe(true);
  expect(await untilEnded(page)).toMatchObject({ status: 200, error: 'timeout', done: false });
  await hold.release();
  const ended = (await others).map((other) =>
    other.status === 'fulfilled' ? other.value.choices[0]?.message.content : String(other.reason),
  );
  expect(ended.filter((text) => text === GREETING)).toHaveLength(2);
  expect(ended.filter((text) => text?.includes('The engine hung'))).toHaveLength(3);
});
