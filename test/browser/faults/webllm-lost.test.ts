import { expect, test } from '../support/fixtures.ts';
import { askWithFault, breakQueue } from '../support/faults.ts';
import { COUNT, COUNTED } from '../support/prompts.ts';
import { answerTo } from '../support/streamed.ts';
import { openTabs } from '../support/browser/tabs.ts';

// Models are loaded several times, which is slow on a busy machine.
test.describe.configure({ timeout: 360_000 });

test.afterEach(({ site }) => {
  site.builds = {};
});

test('an answer continues when the worker with WebLLM is killed', async ({ fresh, site, hold }) => {
  const [reader] = await openTabs(fresh, site, 1);
  const { answer } = await askWithFault({ reader, hold }, COUNT, () => hold.end('engine.js'));
  expect(answer).toMatchObject({
    status: 200,
    text: COUNTED,
    finishReasons: ['stop'],
    done: true,
    error: null,
  });
});

test('an answer continues when WebLLM throws', async ({ fresh, site, hold }) => {
  const [reader] = await openTabs(fresh, site, 1);
  const { answer } = await askWithFault({ reader, hold }, COUNT, () => breakQueue(reader));
  expect(answer).toMatchObject({ text: COUNTED, finishReasons: ['stop'], done: true });
});

test('if WebLLM throws twice, the answer ends with an error and the next request is answered', async ({
  fresh,
  site,
  hold,
}) => {
  const [reader] = await openTabs(fresh, site, 1);
  let engines = 0;
  site.builds = {
    // The next engine breaks after it has read the prompt; the one after that works.
    get 'engine.js'() {
      return engines++ > 0
        ? ''
        : `
        const map = GPUBuffer.prototype.mapAsync;
        let reads = 0;
        GPUBuffer.prototype.mapAsync = function (...range) {
          if (++reads > 5) throw new Error('The buffer is broken.');
          return map.apply(this, range);
        };`;
    },
  };
  const { answer } = await askWithFault({ reader, hold }, COUNT, () => breakQueue(reader));
  expect(answer).toMatchObject({ error: 'engine_error', done: false, finishReasons: [] });
  expect(COUNTED).toContain(answer.text);
  expect((await answerTo(reader, COUNT)).text).toBe(COUNTED);
  // The service worker may have fetched it once more, to keep it.
  expect([2, 3]).toContain(engines);
});
