import { expect, openWithPromptApi, test } from '../support/sites/prompt-api.ts';
import { CAPITAL, GREETING, PARIS } from '../support/prompts.ts';

test('a prompt is answered whole, or in pieces', async ({ prompting }) => {
  const [whole, pieces, isStream] = await prompting.evaluate(async (question) => {
    const session = await LanguageModel.create();
    const answer = await session.prompt('Hello!');
    const stream = session.promptStreaming([{ role: 'user', content: question }]);
    return [answer, await Array.fromAsync(stream), stream instanceof ReadableStream] as const;
  }, CAPITAL);
  expect([whole, pieces.join(''), isStream]).toEqual([GREETING, PARIS, true]);
  expect(pieces.length).toBeGreaterThan(5);
});

test('a session remembers prompts, answers and what was appended', async ({ prompting }) => {
  const answers = await prompting.evaluate(async () => {
    const told = await LanguageModel.create();
    await told.prompt('Hello, my name is Ivan.');
    const appended = await LanguageModel.create();
    const result = await appended.append([
      {
        role: 'user',
        content: [
          { type: 'text', value: 'My name ' },
          { type: 'text', value: 'is Lily.' },
        ],
      },
      { role: 'assistant', content: 'Nice to meet you, Lily.' },
    ]);
    const question = 'Do you know my name?';
    return [await told.prompt(question), await appended.prompt(question), result === undefined];
  });
  expect(answers).toEqual(['Your name is Ivan.', 'Your name is Lily.', true]);
});

test('a system message may come first: at creation, in append or in a prompt', async ({
  prompting,
}) => {
  const answers = await prompting.evaluate(async () => {
    const system = { role: 'system', content: 'Be brief. Your name is Fred.' } as const;
    const question = 'What is your name?';
    const created = await LanguageModel.create({ initialPrompts: [system] });
    const appended = await LanguageModel.create();
    await appended.append([system]);
    const prompted = await LanguageModel.create();
    return [
      await created.prompt(question),
      await appended.prompt(question),
      await prompted.prompt([system, { role: 'user', content: question }]),
    ];
  });
  expect(answers).toEqual(Array.from({ length: 3 }, () => 'I am Fred, a small test model.'));
});

test('system messages after others are refused', async ({ prompting }) => {
  const names = await prompting.evaluate(async () => {
    const system = { role: 'system', content: 'bar' } as const;
    const user = { role: 'user', content: 'foo' } as const;
    const nameOf = async (promise: Promise<unknown>) => (await window.rejection(promise)).name;
    const results: string[] = [];
    for (const method of ['prompt', 'append'] as const) {
      const session = await LanguageModel.create();
      results.push(
        await nameOf(session[method]([user, system])),
        await nameOf(session[method]([system, system])),
      );
      // An object that is not a sequence is converted to a string.
      const first = session[method](system as never);
      results.push(await nameOf(session[method]([system])), await nameOf(first));
      const begun = await LanguageModel.create({ initialPrompts: [user] });
      results.push(await nameOf(begun[method]([system])));
    }
    const session = await LanguageModel.create();
    const stream = session.promptStreaming([user, system]);
    return [...results, await nameOf(Array.fromAsync(stream))];
  });
  const each = ['TypeError', 'TypeError', 'TypeError', 'none', 'TypeError'];
  expect(names).toEqual([...each, ...each, 'TypeError']);
});

test('empty and coerced inputs are allowed', async ({ prompting }) => {
  const kinds = await prompting.evaluate(async () => {
    const empty = [{ role: 'user' as const, content: [{ type: 'text' as const, value: '' }] }];
    const inputs = [
      undefined,
      null,
      {},
      '',
      [],
      [{ role: 'user', content: [] }],
      empty,
    ] as string[];
    const results: string[] = [];
    for (const input of inputs) {
      const session = await LanguageModel.create();
      const text = (await Array.fromAsync(session.promptStreaming(input))).join('');
      results.push(
        typeof (await session.append(input)),
        typeof (await session.prompt(input)),
        typeof text,
      );
    }
    return results;
  });
  expect(new Set(kinds)).toEqual(new Set(['undefined', 'string']));
  expect(kinds).toHaveLength(21);
});

test('null and undefined are prompts of these words', async ({ prompting }) => {
  const sizes = await prompting.evaluate(async () => {
    const session = await LanguageModel.create();
    const given = [null, undefined, {}] as never[];
    return Promise.all(
      [...given, 'null', 'undefined', '[object Object]'].map((each) =>
        session.measureContextUsage(each),
      ),
    );
  });
  expect(sizes.slice(0, 3)).toEqual(sizes.slice(3));
});

test('an answer can continue a prefix, and the session keeps both as one message', async ({
  prompting,
}) => {
  const results = await prompting.evaluate(async (question) => {
    const asked = { role: 'user', content: question } as const;
    const prefix = { role: 'assistant', content: 'The capital', prefix: true } as const;
    const session = await LanguageModel.create();
    const rest = await session.prompt([asked, prefix]);
    const whole = await LanguageModel.create();
    await whole.prompt(question);
    const nothing = await LanguageModel.create();
    const fromNothing = await nothing.prompt([asked, { ...prefix, content: '' }]);
    const next = [await session.prompt('Who are you?'), await whole.prompt('Who are you?')];
    return { rest, fromNothing, next, usages: [session.contextUsage, whole.contextUsage] };
  }, CAPITAL);
  expect(results.rest).toBe(' of France is Paris.');
  expect(results.fromNothing).toBe(PARIS);
  expect(results.next[0]).toBe(results.next[1]);
  expect(results.usages[0]).toBe(results.usages[1]);
});

test('after an assistant message without prefix, the answer is a message of its own', async ({
  prompting,
}) => {
  const answer = await prompting.evaluate(async (question) => {
    const session = await LanguageModel.create();
    return session.prompt([
      { role: 'user', content: question },
      { role: 'assistant', content: 'The capital' },
    ]);
  }, CAPITAL);
  expect(answer).not.toMatch(/^ of France/);
  expect(answer.length).toBeGreaterThan(0);
});

test('a prefix elsewhere, and content that is no text, are refused', async ({ prompting }) => {
  const names = await prompting.evaluate(async () => {
    const session = await LanguageModel.create();
    const assistant = { role: 'assistant', content: 'I', prefix: true };
    const of = (content: object) => [{ role: 'user', content: [content] }];
    const image = new ImageData(8, 8);
    const inputs = [
      [{ role: 'user', content: 'I', prefix: true }],
      [assistant, { role: 'user', content: 'Hi' }],
      of({ type: 'image', value: image }),
      of({ type: 'audio', value: new Blob() }),
      [{ role: 'assistant', content: [{ type: 'image', value: image }] }],
      of({ type: 'text', value: image }),
      of({ type: 'soup', value: 'x' }),
      of({ type: 'text' }),
      [{ role: 'user' }],
      ['Hi'],
    ] as never[];
    const refused: string[] = [];
    for (const input of inputs) refused.push((await window.rejection(session.prompt(input))).name);
    const appended = await window.rejection(session.append([assistant] as never));
    return [...refused, appended.name, session.contextUsage];
  });
  expect(names).toEqual([
    ...['SyntaxError', 'SyntaxError', 'NotSupportedError', 'NotSupportedError'],
    ...['NotSupportedError', 'TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError'],
    ...['NotSupportedError', 0],
  ]);
});

test('prompts of a session are answered one after the other', async ({ prompting }) => {
  const answers = await prompting.evaluate(async () => {
    const session = await LanguageModel.create();
    const same = await Promise.all([session.prompt('Hello!'), session.prompt('Hello!')]);
    const other = await LanguageModel.create();
    const streamed = ['My name is Lily.', 'Do you know my name?'].map((prompt) =>
      Array.fromAsync(other.promptStreaming(prompt)),
    );
    const texts = (await Promise.all(streamed)).map((pieces) => pieces.join(''));
    return [same.every((text) => text.length > 0), ...texts];
  });
  expect(answers).toEqual([true, 'Nice to meet you, Lily.', 'Your name is Lily.']);
});

test('answers survive a collection of garbage', async ({ fresh, site }) => {
  const page = await openWithPromptApi(fresh, site.url);
  const devtools = await fresh.newCDPSession(page);
  const answered = page.evaluate(async () => {
    const prompt = await (await LanguageModel.create()).prompt('Hello!');
    const stream = (await LanguageModel.create()).promptStreaming('Hello!');
    return [prompt, (await Array.fromAsync(stream)).join('')];
  });
  const collect = async (): Promise<unknown> => {
    await devtools.send('HeapProfiler.collectGarbage');
    return collect();
  };
  expect(await Promise.race([answered, collect()])).toEqual([GREETING, GREETING]);
});

test('a clone has the same messages, and goes its own way', async ({ prompting }) => {
  const results = await prompting.evaluate(async () => {
    const session = await LanguageModel.create({ temperature: 0, topK: 3 });
    await session.prompt('My name is Lily.');
    const clone = await session.clone();
    const equal = (['contextWindow', 'contextUsage', 'topK', 'temperature'] as const).map(
      (name) => clone[name] === session[name],
    );
    const before = session.contextUsage;
    const answer = await clone.prompt('Do you know my name?');
    const isOwn = session.contextUsage === before && clone.contextUsage > before;
    session.destroy();
    return [equal, answer, isOwn, typeof (await clone.prompt('Hi'))];
  });
  expect(results).toEqual([[true, true, true, true], 'Your name is Lily.', true, 'string']);
});
