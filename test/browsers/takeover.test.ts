import { COUNT, COUNTED } from '../browser/support/prompts.ts';
import { TINY } from '../browser/support/site.ts';
import { slowDown } from '../browser/support/slow-llama.ts';
import { answerTo, startStream, untilEnded, untilLength } from '../browser/support/streamed.ts';
import { begin, expect, test } from './support/fixtures.ts';

test('a stream continues in the same response when the tab with the engine is closed', async ({
  site,
  newTab,
}) => {
  slowDown(site);
  const leader = await newTab(site.url);
  await begin(leader, { model: TINY });
  const reader = await newTab(site.url);
  await begin(reader);
  await startStream(reader, COUNT);
  await untilLength(reader, COUNTED.length / 4);
  await leader.close();
  const answer = await untilEnded(reader);
  expect(answer).toMatchObject({ text: COUNTED, finishReasons: ['stop'], done: true, error: null });
  expect((await answerTo(reader, COUNT)).text).toBe(COUNTED);
});
