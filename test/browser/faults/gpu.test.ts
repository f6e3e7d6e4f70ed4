import { expect, test } from '../support/fixtures.ts';
import { crashGpuProcess } from '../support/gpu.ts';
import { answerTo, openTabs, startStream, untilEnded, untilLength } from '../support/streamed.ts';

// Models are loaded again and again: on a busy machine that takes its time.
test.describe.configure({ timeout: 360_000 });

test('an answer goes on when the GPU process crashes in the middle of it', async ({
  fresh,
  site,
}) => {
  const [page] = await openTabs(fresh, site, 1);
  const count = { messages: [{ role: 'user', content: 'Count to 60.' }], temperature: 0 };
  const whole = await answerTo(page, count);
  await startStream(page, count);
  await untilLength(page, 40);
  await crashGpuProcess(fresh);
  const answer = await untilEnded(page);
  expect(answer).toMatchObject({
    text: whole.text,
    finishReasons: ['stop'],
    done: true,
    error: null,
  });
  expect((await answerTo(page, count)).text).toBe(whole.text);
});
