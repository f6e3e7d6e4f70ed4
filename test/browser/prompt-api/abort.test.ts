import { expect, openWithPromptApi, test } from '../support/sites/prompt-api.ts';

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

test('an abort in mid-answer stops the model and takes the turn back', async ({
  fresh,
  site,
  hold,
}) => {
  const page = await openWithPromptApi(fresh, site.url);
  const begun = await page.evaluateHandle(async () => {
    const session = await LanguageModel.create();
    await session.prompt('My name is Lily.');
    return { session, usage: session.contextUsage };
  });
  for (const [how, end] of [
    ['abort', 'enough'],
    ['cancel', 'closed'],
  ] as const) {
    await hold.at({ tokens: 10 });
    const answering = await begun.evaluateHandle(({ session }) => {
      const aborting = new AbortController();
      const { signal } = aborting;
      const reader = session.promptStreaming('Count to 60.', { signal }).getReader();
      return { aborting, reader, first: reader.read() };
    });
    await hold.untilHeld();
    const closed = await answering.evaluate(async ({ aborting, reader, first }, ending) => {
      await first;
      if (ending === 'abort') aborting.abort(new Error('enough'));
      else void reader.cancel();
      return reader.closed.then(
        () => 'closed',
        (error: Error) => error.message,
      );
    }, how);
    expect(closed).toBe(end);
    await hold.untilStopped();
    await hold.release();
    expect(await begun.evaluate(({ session, usage }) => session.contextUsage - usage)).toBe(0);
  }
  const text = await begun.evaluate(({ session }) => session.prompt('Do you know my name?'));
  expect(text).toBe('Your name is Lily.');
});

test('a prompt that waits for another one leaves the queue when it is aborted', async ({
  prompting,
}) => {
  const order = await prompting.evaluate(async () => {
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
