import { expect, openWithPromptApi, test } from '../support/sites/prompt-api.ts';
import { COUNTED } from '../support/prompts.ts';
import { replaceFile } from '../support/site.ts';

test('the first session downloads the model, and its monitor is told', async ({ fresh, site }) => {
  const page = await openWithPromptApi(fresh, site.url);
  const seen = await page.evaluate(async () => {
    const monitored = async () => {
      const events: ProgressEvent[] = [];
      let handled = 0;
      const session = await LanguageModel.create({
        monitor: (monitor) => {
          monitor.addEventListener('downloadprogress', (event) =>
            events.push(event as ProgressEvent),
          );
          monitor.ondownloadprogress = () => handled++;
        },
      });
      session.destroy();
      const loaded = events.map((event) => event.loaded);
      return {
        ends: [loaded[0], loaded.at(-1)],
        grows: loaded.every((value, index) => value > (loaded[index - 1] ?? -1)),
        isRounded: loaded.every((value) => value % (1 / 0x10000) === 0),
        isWhole: events.every(({ total, lengthComputable }) => total === 1 && lengthComputable),
        isHandled: handled === events.length,
      };
    };
    const before = await LanguageModel.availability();
    const first = await monitored();
    return [before, first, await LanguageModel.availability(), await monitored()];
  });
  const right = { ends: [0, 1], grows: true, isRounded: true, isWhole: true, isHandled: true };
  expect(seen).toEqual(['downloadable', right, 'available', right]);
});

test('a site can say which languages its model knows', async ({ fresh, site }) => {
  const options = { model: 'slashv1/tiny-chat', languages: ['en'] };
  const page = await openWithPromptApi(fresh, site.url, options);
  const found = await page.evaluate(() =>
    Promise.all(
      ['en-GB', 'fr'].map((language) =>
        LanguageModel.availability({ expectedInputs: [{ type: 'text', languages: [language] }] }),
      ),
    ),
  );
  expect(found).toEqual(['downloadable', 'unavailable']);
});

test('without a named model, the first chat model of the site answers', async ({ fresh, site }) => {
  const page = await openWithPromptApi(fresh, site.url, {});
  const answer = await page.evaluate(async () => {
    const session = await LanguageModel.create();
    return session.prompt('Hello!');
  });
  expect(answer).toBe('Hello! How can I help you?');
});

test('failures of the model have names', async ({ fresh, site }) => {
  site.intercept = replaceFile('/packs/tiny-chat/tiny-chat-F32.gguf');
  const page = await openWithPromptApi(fresh, site.url);
  const failed = await page.evaluate(() => window.rejection(LanguageModel.create()));
  site.intercept = undefined;
  expect(failed).toMatchObject({ name: 'NetworkError', isDom: true });
  const again = await page.evaluate(() => window.rejection(LanguageModel.create()));
  expect(again.name).toBe('none');
  const unknown = await page.evaluate(async () => {
    window.promptApi.configure({ engines: ['llamacpp'], model: 'https://localhost:1/none.gguf' });
    return [await LanguageModel.availability(), await window.rejection(LanguageModel.create())];
  });
  expect(unknown).toMatchObject(['downloadable', { name: 'NotSupportedError', isDom: true }]);
});

test('where slashv1 cannot start, the model is unavailable', async ({ fresh, site }) => {
  const page = await openWithPromptApi(fresh, site.url, { engines: [] });
  const found = await page.evaluate(async () => [
    await LanguageModel.availability(),
    await LanguageModel.params(),
    await window.rejection(LanguageModel.create()),
  ]);
  expect(found).toMatchObject(['unavailable', null, { name: 'NotSupportedError' }]);
});

test('an answer continues when the tab closes that hosts the engine', async ({
  fresh,
  site,
  hold,
}) => {
  const leader = await openWithPromptApi(fresh, site.url);
  await leader.evaluate(() => LanguageModel.create());
  const page = await openWithPromptApi(fresh, site.url);
  await hold.at({ tokens: 10 });
  const begun = await page.evaluateHandle(async () => {
    const session = await LanguageModel.create({ temperature: 0 });
    const reader = session.promptStreaming('Count to 60.').getReader();
    return { reader, text: (await reader.read()).value ?? '' };
  });
  await hold.untilHeld();
  await leader.close();
  await hold.release();
  const text = await begun.evaluate(async ({ reader, text: first }) => {
    const pieces = [first];
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return pieces.join('');
      pieces.push(value);
    }
  });
  expect(text).toBe(COUNTED);
});

test('it works without a service worker', async ({ fresh, site }) => {
  const options = { model: 'slashv1/tiny-chat', serviceWorker: false };
  const page = await openWithPromptApi(fresh, site.url, options);
  const found = await page.evaluate(async () => {
    const session = await LanguageModel.create();
    const answer = await session.prompt('Hello!');
    return [answer, (await navigator.serviceWorker.getRegistrations()).length];
  });
  expect(found).toEqual(['Hello! How can I help you?', 0]);
});
