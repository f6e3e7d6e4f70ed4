import { expect, test } from '../support/sites/prompt-api.ts';

const SENTENCE = 'Please write a sentence in English.';

test('what is measured is what is used', async ({ prompting }) => {
  const results = await prompting.evaluate(async (sentence) => {
    const appended = await LanguageModel.create();
    const measured = await appended.measureContextUsage(sentence);
    await appended.append(sentence);
    const initialPrompts = [
      { role: 'system' as const, content: 'foo' },
      { role: 'user' as const, content: 'bar' },
      { role: 'assistant' as const, content: 'baz' },
    ];
    const begun = await LanguageModel.create({ initialPrompts });
    const again = await begun.measureContextUsage(initialPrompts);
    const prompted = await LanguageModel.create();
    const answer = await prompted.prompt(sentence);
    const sum = measured + (await prompted.measureContextUsage(answer));
    return {
      appended: [appended.contextUsage - measured, appended.inputUsage - measured],
      begun: [begun.contextUsage - again, (await begun.measureInputUsage(initialPrompts)) - again],
      measured,
      difference: Math.abs(prompted.contextUsage - sum),
    };
  }, SENTENCE);
  expect(results).toMatchObject({ appended: [0, 0], begun: [0, 0] });
  expect(results.measured).toBeGreaterThan(10);
  // The answer alone is measured with the marks of a turn of the user.
  expect(results.difference).toBeLessThanOrEqual(5);
});

test('a constraint is measured, unless it is kept out of the prompt', async ({ prompting }) => {
  const [plain, withSchema, omitted] = await prompting.evaluate(async () => {
    const session = await LanguageModel.create();
    const responseConstraint = { type: 'object', properties: { name: { type: 'string' } } };
    const omitResponseConstraintInput = true;
    return [
      await session.measureContextUsage('Hi'),
      await session.measureContextUsage('Hi', { responseConstraint }),
      await session.measureContextUsage('Hi', { responseConstraint, omitResponseConstraintInput }),
    ] as const;
  });
  expect(withSchema).toBeGreaterThan(plain + 20);
  expect(omitted).toBe(plain);
});

test('input that is too long for the context is refused with its size', async ({ prompting }) => {
  const results = await prompting.evaluate(async (sentence) => {
    const session = await LanguageModel.create();
    const long = sentence.repeat(session.contextWindow);
    const measured = await session.measureContextUsage(long);
    const content = long;
    const refused = [
      await window.rejection(session.prompt(long)),
      await window.rejection(session.append(long)),
      await window.rejection(Array.fromAsync(session.promptStreaming(long))),
      await window.rejection(LanguageModel.create({ initialPrompts: [{ role: 'user', content }] })),
    ];
    const isUsable = typeof (await session.prompt('Hi')) === 'string';
    return { measured, refused, isUsable };
  }, SENTENCE);
  for (const { name, isDom, quota, requested = 0 } of results.refused) {
    expect([name, isDom, quota]).toEqual(['QuotaExceededError', true, 2048]);
    // A prompt has marks for its answer, too.
    expect(Math.abs(requested - results.measured)).toBeLessThan(10);
  }
  expect(results).toMatchObject({ isUsable: true });
});

test('an overflow drops the oldest turns, but not the initial prompts', async ({ prompting }) => {
  const results = await prompting.evaluate(async (sentence) => {
    const session = await LanguageModel.create({
      initialPrompts: [{ role: 'system', content: 'Your name is Fred.' }],
    });
    const events: string[] = [];
    session.addEventListener('contextoverflow', ({ type }) => events.push(type));
    session.addEventListener('quotaoverflow', ({ type }) => events.push(type));
    session.oncontextoverflow = ({ type }) => events.push(`on${type}`);
    session.onquotaoverflow = ({ type }) => events.push(`on${type}`);
    await session.append(sentence.repeat(111));
    const [usage, before] = [session.contextUsage, events.length];
    await session.append([
      { role: 'user', content: 'My name is Lily.' },
      { role: 'assistant', content: 'Nice to meet you, Lily.' },
    ]);
    const dropped = usage - session.contextUsage;
    const clone = await session.clone();
    const answers = [
      await session.prompt('Do you know my name?'),
      await clone.prompt('What is your name?'),
    ];
    return { events, before, dropped, answers };
  }, SENTENCE);
  expect(results).toMatchObject({
    events: ['contextoverflow', 'oncontextoverflow', 'quotaoverflow', 'onquotaoverflow'],
    before: 0,
    answers: ['Your name is Lily.', 'I am Fred, a small test model.'],
  });
  expect(results.dropped).toBeGreaterThan(1000);
});

test('a prompt that leaves no room for the rest is answered after an overflow', async ({
  prompting,
}) => {
  const results = await prompting.evaluate(async (sentence) => {
    const session = await LanguageModel.create();
    const overflow = new Promise((resolve) => session.addEventListener('contextoverflow', resolve));
    // The text is so long that the marks of its turn hardly count.
    const long = sentence.repeat(40);
    await session.append(long);
    const repeats = session.contextWindow / session.contextUsage;
    const [, answer] = await Promise.all([overflow, session.prompt(long.repeat(repeats))]);
    return [typeof answer, session.contextUsage <= session.contextWindow];
  }, SENTENCE);
  expect(results).toEqual(['string', true]);
});

test('no more turns are dropped than have to be', async ({ prompting }) => {
  const results = await prompting.evaluate(async (sentence) => {
    const session = await LanguageModel.create();
    const turn = await session.measureContextUsage(sentence);
    const left: number[] = [];
    for (const repeats of [1, 3, 40]) {
      const clone = await session.clone();
      while (clone.contextUsage + turn < clone.contextWindow) await clone.append(sentence);
      const input = sentence.repeat(repeats);
      await clone.append(input);
      left.push(clone.contextWindow - clone.contextUsage);
    }
    return { turn, left };
  }, SENTENCE);
  for (const left of results.left) {
    expect(left).toBeGreaterThanOrEqual(0);
    expect(left).toBeLessThan(results.turn);
  }
});

test('an input that never fits drops nothing', async ({ prompting }) => {
  const results = await prompting.evaluate(async (sentence) => {
    const session = await LanguageModel.create();
    let events = 0;
    session.oncontextoverflow = () => events++;
    await session.prompt('My name is Lily.');
    const usage = session.contextUsage;
    const { name } = await window.rejection(session.prompt(sentence.repeat(2000)));
    return [
      name,
      events,
      session.contextUsage - usage,
      await session.prompt('Do you know my name?'),
    ];
  }, SENTENCE);
  expect(results).toEqual(['QuotaExceededError', 0, 0, 'Your name is Lily.']);
});
