import { COUNT, COUNTED } from '../browser/support/prompts.ts';
import { TINY } from '../browser/support/site.ts';
import { answerTo, startStream, untilEnded, untilLength } from '../browser/support/streamed.ts';
import { begin, expect, test } from './support/fixtures.ts';

/** Appended to the script of llama.cpp's worker: each message takes 20 ms, as tokens of a large model do. */
const SLOW = `
const post = self.postMessage;
self.postMessage = (...message) => {
  for (const end = performance.now() + 20; performance.now() < end; );
  post.apply(self, message);
};`;

test('a stream continues in the same response when the tab with the engine is closed', async ({
  site,
  newTab,
}) => {
  site.builds['llamacpp.js'] = SLOW;
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
