import { expect, test } from '../support/sites/prompt-api.ts';

test('a session has the members of the API', async ({ prompting }) => {
  const types = await prompting.evaluate(async () => {
    const session = await LanguageModel.create();
    const names = [
      'prompt',
      'promptStreaming',
      'append',
      'measureContextUsage',
      'clone',
      'destroy',
    ];
    const old = ['measureInputUsage', 'inputUsage', 'inputQuota', 'onquotaoverflow'];
    const values = ['contextUsage', 'contextWindow', 'oncontextoverflow', 'samplingMode'];
    return {
      isSession: session instanceof LanguageModel && session instanceof EventTarget,
      types: [...names, ...values, ...old].map((name) => typeof Reflect.get(session, name)),
      usage: session.contextUsage,
      window: session.contextWindow,
      topK: session.topK,
      temperature: session.temperature,
    };
  });
  expect(types).toEqual({
    isSession: true,
    types: [
      ...Array.from({ length: 6 }, () => 'function'),
      ...['number', 'number', 'object', 'string', 'function', 'number', 'number', 'object'],
    ],
    usage: 0,
    window: 2048,
    topK: undefined,
    temperature: undefined,
  });
});

test('it cannot be constructed', async ({ prompting }) => {
  const error = await prompting.evaluate(() =>
    window.rejection(Promise.try(() => Reflect.construct(LanguageModel, []) as unknown)),
  );
  expect(error.name).toBe('TypeError');
});

test('a native LanguageModel stays, and a page can choose', async ({ fresh, site }) => {
  const page = await fresh.newPage();
  await page.goto(site.url);
  const found = await page.evaluate(async (script) => {
    const results: unknown[] = [];
    for (const availability of ['available', 'unavailable']) {
      const native = { availability: () => Promise.resolve(availability) };
      Object.defineProperty(window, 'LanguageModel', { value: native, configurable: true });
      const { LanguageModel: own } = (await import(script)) as typeof window.promptApi;
      const model = (await LanguageModel.availability()) === 'unavailable' ? own : LanguageModel;
      const isLeft = Reflect.get(window, 'LanguageModel') === native;
      results.push([isLeft, model === own]);
    }
    return results;
  }, `${site.url}prompt-api.js`);
  expect(found).toEqual([
    [true, false],
    [true, true],
  ]);
});

test('no progress follows an abort', async ({ prompting }) => {
  const results = await prompting.evaluate(async () => {
    const abortAt = async (place: number) => {
      const aborting = new AbortController();
      const reason = new Error('enough');
      const seen: number[] = [];
      const { promise: reached, resolve } = Promise.withResolvers<void>();
      const creating = LanguageModel.create({
        signal: aborting.signal,
        monitor: (monitor) =>
          monitor.addEventListener('downloadprogress', ({ loaded }: ProgressEventInit) => {
            if (aborting.signal.aborted) seen.push(loaded ?? -1);
            if (loaded === place) resolve();
          }),
      });
      await reached;
      aborting.abort(reason);
      const error = await creating.catch((failure: unknown) => failure);
      return [error === reason, seen];
    };
    const early = new AbortController();
    const events: Event[] = [];
    const creating = LanguageModel.create({
      signal: early.signal,
      monitor: (monitor) => (monitor.ondownloadprogress = (event) => events.push(event)),
    });
    early.abort();
    const { name } = await window.rejection(creating);
    // When this resolves, the work of the aborted call is done.
    await LanguageModel.create();
    return [await abortAt(0), await abortAt(1), [name, events.length]];
  });
  expect(results).toEqual([
    [true, []],
    [true, []],
    ['AbortError', 0],
  ]);
});

test('what the monitor throws rejects the creation', async ({ prompting }) => {
  const isSame = await prompting.evaluate(async () => {
    const reason = new Error('no');
    const failing = () => {
      throw reason;
    };
    return LanguageModel.create({ monitor: failing }).catch((error: unknown) => error === reason);
  });
  expect(isSame).toBe(true);
});

test('topK and temperature are checked and cut', async ({ prompting }) => {
  const results = await prompting.evaluate(async () => {
    const made = async (options: { topK?: number; temperature?: number }) => {
      try {
        const { topK, temperature, samplingMode } = await LanguageModel.create(options);
        return [topK, temperature, samplingMode];
      } catch (error) {
        return (error as Error).name;
      }
    };
    return [
      await LanguageModel.params(),
      await made({ topK: 3, temperature: 0.5 }),
      await made({ topK: 1.5, temperature: 0.5 }),
      await made({ topK: Infinity, temperature: Infinity }),
      await made({ topK: 3 }),
      await made({ topK: 3, temperature: -0.5 }),
      await made({ topK: 0, temperature: 0.5 }),
      await made({ topK: -2, temperature: 0.5 }),
    ];
  });
  const params = { defaultTopK: 40, maxTopK: 128, defaultTemperature: 1, maxTemperature: 2 };
  const made = [
    [3, 0.5, null],
    [1, 0.5, null],
    [128, 2, null],
    [3, undefined, null],
  ];
  expect(results).toEqual([params, ...made, 'RangeError', 'RangeError', 'RangeError']);
});

test('sampling modes are kept by clones, and exclude numbers', async ({ prompting }) => {
  const results = await prompting.evaluate(async () => {
    const modes = [
      ...(['most-predictable', 'predictable', 'slightly-predictable', 'balanced'] as const),
      ...(['slightly-creative', 'creative', 'most-creative'] as const),
    ];
    const kept = await Promise.all(
      modes.map(async (samplingMode) => {
        const session = await LanguageModel.create({ samplingMode });
        const clone = await session.clone();
        return session.samplingMode === samplingMode && clone.samplingMode === samplingMode;
      }),
    );
    const { samplingMode: byDefault } = await LanguageModel.create();
    const wrong = [
      { samplingMode: 'balanced', temperature: 0.8 },
      { samplingMode: 'balanced', topK: 10 },
      { samplingMode: 'wild' },
    ].map((options) => options as Parameters<typeof LanguageModel.create>[0]);
    const refused = wrong.flatMap((options) => [
      window.rejection(LanguageModel.create(options)),
      window.rejection(LanguageModel.availability(options)),
    ]);
    const names = (await Promise.all(refused)).map(({ name }) => name);
    return { kept, byDefault, names };
  });
  expect(results).toEqual({
    kept: Array.from({ length: 7 }, () => true),
    byDefault: 'balanced',
    names: Array.from({ length: 6 }, () => 'TypeError'),
  });
});

test('a sampling mode decides how the model writes', async ({ prompting }) => {
  const texts = await prompting.evaluate(async () => {
    const story = async (options: Parameters<typeof LanguageModel.create>[0]) => {
      const session = await LanguageModel.create(options);
      return session.prompt('Tell me a story about a lonely finger.');
    };
    const calm = { samplingMode: 'most-predictable' } as const;
    const wild = { temperature: 2, topK: 128 };
    return [await story(calm), await story(calm), await story(wild), await story(wild)];
  });
  expect(texts[0]).toBe(texts[1]);
  expect(new Set(texts).size).toBe(3);
});

test('initial prompts follow the rules of roles', async ({ prompting }) => {
  const names = await prompting.evaluate(async () => {
    const [system, kitten] = [
      { role: 'system', content: 'You are a helpful assistant.' } as const,
      { role: 'system', content: 'You are a kitten.' } as const,
    ];
    const turns = [
      { role: 'user', content: 'Hi' } as const,
      { role: 'assistant', content: 'Hello!' } as const,
    ];
    const lists = [
      ...[[system, ...turns], [], turns, [...turns, system], [system, kitten, ...turns]],
      [...turns, { role: 'assistant', content: 'I', prefix: true } as const],
      [{ role: 'robot', content: 'Hi' } as never],
      [{ role: 'user' } as never],
    ];
    const made = lists.map((initialPrompts) =>
      window.rejection(LanguageModel.create({ initialPrompts })),
    );
    return (await Promise.all(made)).map(({ name }) => name);
  });
  expect(names).toEqual([
    ...['none', 'none', 'none', 'TypeError', 'TypeError'],
    ...['NotSupportedError', 'TypeError', 'TypeError'],
  ]);
});

test('expected types and languages are checked', async ({ prompting }) => {
  const results = await prompting.evaluate(async () => {
    const text = (languages: string[]) => [{ type: 'text' as const, languages }];
    const of = async (options: Parameters<typeof LanguageModel.create>[0]) => [
      await LanguageModel.availability(options).catch(({ name }: Error) => name),
      (await window.rejection(LanguageModel.create(options))).name,
    ];
    const soup = [{ type: 'soup' }] as never;
    return [
      await of({ expectedInputs: text(['EN', 'ja']), expectedOutputs: text(['en-US']) }),
      await of({ expectedInputs: text(['en-abc-invalid']) }),
      await of({ expectedInputs: text(['unk']) }),
      await of({ expectedOutputs: text(['unk']) }),
      await of({ expectedInputs: [{ type: 'image' }] }),
      await of({ expectedOutputs: [{ type: 'audio' }] }),
      await of({ tools: [{ name: 'add', description: 'Adds', inputSchema: { type: 'object' } }] }),
      await of({ tools: [], expectedInputs: [], expectedOutputs: [{ type: 'text' }] }),
      await of({ expectedInputs: soup }),
      // `availability` tells what the model can do, and does not check the numbers.
      await LanguageModel.availability({ topK: -2, temperature: 7 }),
    ];
  });
  const possible = ['available', 'none'];
  const impossible = ['unavailable', 'NotSupportedError'];
  expect(results).toEqual([
    ...[possible, ['RangeError', 'RangeError'], impossible, impossible, impossible, impossible],
    ...[impossible, possible, ['TypeError', 'TypeError'], 'available'],
  ]);
});
