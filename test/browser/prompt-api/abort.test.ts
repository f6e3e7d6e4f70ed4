import type { BrowserContext, Page } from 'playwright/test';
import type { TestSite } from '../support/fixtures.ts';
import { expect, openWithPromptApi, test } from '../support/prompt-api.ts';
import { llamaOf, slowDown } from '../support/slow-llama.ts';

/** Opens a page in which the model takes its time. */
async function openSlow(profile: BrowserContext, site: TestSite): Promise<Page> {
  slowDown(site);
  const page = await openWithPromptApi(profile, site.url);
  await page.evaluate(async () => (await LanguageModel.create()).destroy());
  site.preludes = {};
  return page;
}

test('a signal ends every operation with its reason, at once and from then on', async ({
  prompting,
}) => {
  const results = await prompting.evaluate(async () => {
    const session = await LanguageModel.create();
    const read = (stream: ReadableStream) => stream.pipeTo(new WritableStream());
    const operations: Record<string, (signal: AbortSignal) => Promise<unknown>> = {
      create: (signal) => LanguageModel.create({ signal }),
      clone: (signal) => session.clone({ signal }),
      prompt: (signal) => session.prompt('Hello!', { signal }),
      append: (signal) => session.append('Hello!', { signal }),
      measure: (signal) => session.measureContextUsage('Hello!', { signal }),
      streaming: async (signal) => read(session.promptStreaming('Hello!', { signal })),
    };
    const failures: string[] = [];
    for (const [name, operate] of Object.entries(operations)) {
      for (const reason of [undefined, new Error('test')]) {
        const aborting = new AbortController();
        const pending = operate(aborting.signal).catch((error: unknown) => error);
        aborting.abort(reason);
        const errors = [
          await pending,
          await operate(aborting.signal).catch((error: unknown) => error),
        ];
        const isRight = errors.every(
          (error) => error === aborting.signal.reason && (reason ?? error instanceof DOMException),
        );
        if (!isRight) failures.push(name);
      }
    }
    return [failures, session.contextUsage, await session.prompt('Hello!')];
  });
  expect(results).toEqual([[], 0, 'Hello! How can I help you?']);
});

test('with an aborted signal, promptStreaming throws', async ({ prompting }) => {
  const name = await prompting.evaluate(async () => {
    const session = await LanguageModel.create();
    try {
      session.promptStreaming('Hello!', { signal: AbortSignal.abort() });
    } catch (error) {
      return (error as Error).name;
    }
    return 'none';
  });
  expect(name).toBe('AbortError');
});

test('an abort in mid-answer stops the model and takes the turn back', async ({ fresh, site }) => {
  const page = await openSlow(fresh, site);
  const results = await page.evaluate(async () => {
    const session = await LanguageModel.create();
    await session.prompt('My name is Lily.');
    const usage = session.contextUsage;
    const endings = [
      (abort: AbortController) => abort.abort(new Error('enough')),
      (_: AbortController, reader: ReadableStreamDefaultReader<string>) => void reader.cancel(),
    ];
    const ends: unknown[] = [];
    for (const end of endings) {
      const aborting = new AbortController();
      const { signal } = aborting;
      const reader = session.promptStreaming('Count to 60.', { signal }).getReader();
      await reader.read();
      end(aborting, reader);
      const closed = await reader.closed.then(
        () => 'closed',
        (error: Error) => error.message,
      );
      ends.push(closed, session.contextUsage - usage);
    }
    return [ends, await session.prompt('Do you know my name?')];
  });
  expect(results).toEqual([['enough', 0, 'closed', 0], 'Your name is Lily.']);
  await expect.poll(() => llamaOf(page).evaluate(() => self.turnsAtStop)).toBeGreaterThan(0);
});

test('a prompt that waits for another one leaves the queue when it is aborted', async ({
  fresh,
  site,
}) => {
  const page = await openSlow(fresh, site);
  const order = await page.evaluate(async () => {
    const session = await LanguageModel.create();
    const ended: string[] = [];
    const note = (name: string) => (text: unknown) => ended.push(`${name}: ${String(text)}`);
    const aborting = new AbortController();
    const { signal } = aborting;
    const first = session.prompt('Count to 18.').then(note('first'));
    const second = session.prompt('Hello!', { signal }).catch(note('second'));
    const third = session.prompt('Who are you?').then(note('third'));
    aborting.abort(new Error('enough'));
    await Promise.all([first, second, third]);
    return ended;
  });
  expect(order).toEqual([
    'second: Error: enough',
    'first: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18',
    'third: I am Pip, a small test model.',
  ]);
});

test('destroy ends what is under way and what follows', async ({ prompting }) => {
  const results = await prompting.evaluate(async () => {
    const session = await LanguageModel.create();
    const stream = session.promptStreaming('Hello!');
    const pending = [session.prompt('Hello!'), session.append('Hi'), session.clone()];
    session.destroy();
    const after = [
      ...[session.prompt('Hello!'), session.append('Hi'), session.clone()],
      session.measureContextUsage('Hi'),
      Promise.try(() => session.promptStreaming('Hi')),
      stream.pipeTo(new WritableStream()),
    ];
    const errors = await Promise.all([...pending, ...after].map(window.rejection));
    session.destroy();
    return [
      errors.filter(({ name, isDom }) => name !== 'InvalidStateError' || !isDom),
      [typeof session.contextWindow, typeof session.contextUsage, session.samplingMode],
    ];
  });
  expect(results).toEqual([[], ['number', 'number', 'balanced']]);
});

test('the signal of create destroys the session', async ({ prompting }) => {
  const results = await prompting.evaluate(async () => {
    const aborting = new AbortController();
    const session = await LanguageModel.create({ signal: aborting.signal });
    const pending = session.prompt('Hello!').catch((error: unknown) => error);
    const reason = new Error('over');
    aborting.abort(reason);
    const later = session.prompt('Hello!').catch((error: unknown) => error);
    return [(await pending) === reason, (await later) === reason];
  });
  expect(results).toEqual([true, true]);
});
