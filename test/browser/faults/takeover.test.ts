import type { Page } from 'playwright/test';
import { askWithFault, crashTab } from '../support/faults.ts';
import { expect, openPage, openStarted, test, TINY } from '../support/fixtures.ts';
import { listed } from '../support/models.ts';
import { COUNT, COUNTED } from '../support/prompts.ts';
import { answerTo, reportPause, startStream, untilEnded } from '../support/streamed.ts';
import { openTabs } from '../support/browser/tabs.ts';

// Models are loaded several times, which is slow on a busy machine.
test.describe.configure({ timeout: 360_000 });

/** The ways in which the tab with the engine ends. */
const ENDS: [string, (leader: Page) => Promise<unknown>][] = [
  ['is closed', (leader) => leader.close()],
  ['goes to another page', (leader) => leader.goto('about:blank')],
];

/** How many other tabs there are. */
const OTHERS = [1, 5];

for (const [name, end] of ENDS) {
  for (const others of OTHERS) {
    test(`a stream continues in the same response when the tab with the engine ${name}, with ${others} left`, async ({
      fresh,
      site,
      hold,
    }) => {
      const [leader, reader, ...rest] = await openTabs(fresh, site, 1 + others);
      const asking = { reader, hold };
      const { whole, answer, faultAt } = await askWithFault(asking, COUNT, () => end(leader));
      expect(answer).toMatchObject({
        status: 200,
        text: COUNTED,
        finishReasons: ['stop'],
        done: true,
        error: null,
        usage: {
          prompt_tokens: whole.usage?.prompt_tokens,
          completion_tokens: whole.usage?.completion_tokens,
        },
      });
      reportPause(answer, faultAt);
      expect((await answerTo(rest.at(-1) ?? reader, COUNT)).text).toBe(COUNTED);
    });
  }
}

test(
  'a stream continues with a KV cache in Q8_0 when the tab with the engine is closed',
  { tag: '@llamacpp' },
  async ({ fresh, site, hold }) => {
    const kvCacheType = 'q8_0';
    const [leader, reader] = await openTabs(fresh, site, 2, { kvCacheType });
    const { answer } = await askWithFault({ reader, hold }, COUNT, () => leader.close());
    expect(answer).toMatchObject({ text: COUNTED, finishReasons: ['stop'], done: true });
    expect(await listed(reader, TINY)).toMatchObject({ state: 'loaded', kvCacheType });
  },
);

for (const others of OTHERS) {
  test(`a stream continues when the process of the tab with the engine crashes, with ${others} left`, async ({
    fresh,
    site,
    hold,
  }) => {
    // The service worker runs in the process of the page that registered it, so this page stays open.
    const registering = await openPage(fresh, site.url);
    await registering.evaluate(async () => {
      await navigator.serviceWorker.register('sw.js');
      await navigator.serviceWorker.ready;
    });
    const [leader, reader] = await openTabs(fresh, site, 1 + others);
    const { answer } = await askWithFault({ reader, hold }, COUNT, () => crashTab(leader));
    expect(answer).toMatchObject({ text: COUNTED, finishReasons: ['stop'], done: true });
  });
}

test('a stream continues when all other tabs are closed at once', async ({ fresh, site, hold }) => {
  const [leader, reader, ...rest] = await openTabs(fresh, site, 6);
  const { answer } = await askWithFault({ reader, hold }, COUNT, () =>
    Promise.all([leader, ...rest].map((tab) => tab.close())),
  );
  expect(answer).toMatchObject({ text: COUNTED, finishReasons: ['stop'], done: true });
  expect((await answerTo(reader, COUNT)).text).toBe(COUNTED);
});

test('if a crash also ends the service worker, the stream breaks and the next request is answered', async ({
  fresh,
  site,
  hold,
}) => {
  const [leader, reader] = await openTabs(fresh, site, 2);
  const { answer } = await askWithFault({ reader, hold }, COUNT, () => crashTab(leader));
  expect(answer).toMatchObject({ done: false, finishReasons: [] });
  expect(answer.error).not.toBeNull();
  expect((await answerTo(reader, COUNT)).text).toBe(COUNTED);
});

test('a stream continues while three tabs with the engine are closed, one after the other', async ({
  fresh,
  site,
  hold,
}) => {
  const tabs = await openTabs(fresh, site, 3);
  const reader = await openStarted(fresh, site.url);
  await hold.at({ tokens: 10 });
  await startStream(reader, COUNT);
  for (const tab of tabs) {
    await hold.untilHeld();
    await tab.close();
    await hold.at({ tokens: 10 });
  }
  await hold.release();
  const answer = await untilEnded(reader);
  expect(answer).toMatchObject({ text: COUNTED, finishReasons: ['stop'], done: true });
});
