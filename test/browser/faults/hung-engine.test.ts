import { complete } from '../support/chat.ts';
import { begin, expect, openPage, test, TINY } from '../support/fixtures.ts';
import { untilWaiting } from '../support/models.ts';
import { COUNT, COUNTED, GREETING } from '../support/prompts.ts';
import { startStream, untilEnded } from '../support/streamed.ts';

// Models are loaded several times, which is slow on a busy machine.
test.describe.configure({ timeout: 240_000 });

/** Time between two signs of life that the page asks its engine for, milliseconds. */
const PING_MS = 10_000;

test('requests that the engine hung on fail, and the next engine continues the others', async ({
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
  // These requests join the stream and have no text yet, so they fail with the hang.
  const others = Promise.allSettled([1, 2].map(() => complete(page, { temperature: 0 })));
  await untilWaiting(page, 2);
  hold.hang('engine.js');
  let hasFailed = false;
  void others.then(() => (hasFailed = true));
  const failed = async () => {
    await page.clock.runFor(PING_MS);
    return hasFailed;
  };
  await expect.poll(failed, { timeout: 120_000 }).toBe(true);
  for (const other of await others) {
    expect(other).toMatchObject({
      reason: { message: expect.stringContaining('The engine hung') },
    });
  }
  await hold.release();
  expect(await untilEnded(page)).toMatchObject({ text: COUNTED, done: true, error: null });
  const { choices } = await complete(page, { temperature: 0 });
  expect(choices[0]?.message.content).toBe(GREETING);
});
