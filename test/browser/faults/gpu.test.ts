import { expect, test } from '../support/fixtures.ts';
import { askWithFault } from '../support/faults.ts';
import { crashGpuProcess } from '../support/browser/gpu.ts';
import { COUNT, COUNTED } from '../support/prompts.ts';
import { answerTo } from '../support/streamed.ts';
import { openTabs } from '../support/browser/tabs.ts';

// Models are loaded several times, which is slow on a busy machine.
test.describe.configure({ timeout: 360_000 });

test('an answer continues when the GPU process crashes', async ({ fresh, site, hold }) => {
  const [reader] = await openTabs(fresh, site, 1);
  const { answer } = await askWithFault({ reader, hold }, COUNT, () => crashGpuProcess(fresh));
  expect(answer).toMatchObject({
    text: COUNTED,
    finishReasons: ['stop'],
    done: true,
    error: null,
  });
  expect((await answerTo(reader, COUNT)).text).toBe(COUNTED);
});
