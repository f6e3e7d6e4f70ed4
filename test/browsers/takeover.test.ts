import { COUNT, COUNTED } from '../browser/support/prompts.ts';
import { TINY } from '../browser/support/site.ts';
import { answerTo, startStream, untilEnded } from '../browser/support/streamed.ts';
import { begin, expect, test } from './support/fixtures.ts';

test('a stream continues in the same response when the tab with the engine is closed', async ({
  site,
  hold,
  newTab,
}) => {
  const leader = await newTab(site.url);
  await begin(leader, { model: TINY });
  const reader = await newTab(site.url);
  await begin(reader);
  await hold.at({ tokens: 20 });
  await startStream(reader, COUNT);
  await hold.untilHeld();
  await leader.close();
  await hold.release();
  const answer = await untilEnded(reader);
  expect(answer).toMatchObject({ text: COUNTED, finishReasons: ['stop'], done: true, error: null });
  expect((await answerTo(reader, COUNT)).text).toBe(COUNTED);
});
