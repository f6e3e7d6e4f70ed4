import { expect, test } from '../support/sites/prompt-api.ts';

const RATING = {
  type: 'object',
  required: ['Rating'],
  additionalProperties: false,
  properties: { Rating: { type: 'number', minimum: 0, maximum: 5 } },
};

test('answers fit JSON Schemas', async ({ prompting }) => {
  // Without limits, tiny-chat often fills its context: it writes digits without end.
  const schemas = [
    ...[RATING, { type: 'object' }, { type: 'array', items: { type: 'null' }, maxItems: 3 }],
    ...[{ type: 'boolean' }, { type: 'string', maxLength: 20 }, { type: 'null' }],
    ...[
      { type: 'integer', minimum: -99, maximum: 99 },
      { type: 'number', minimum: -1, maximum: 1 },
    ],
    { enum: [1, 2, 3, 4, 5] },
  ];
  const values = await prompting.evaluate(async (given) => {
    const results: unknown[] = [];
    for (const responseConstraint of given) {
      const session = await LanguageModel.create();
      results.push(JSON.parse(await session.prompt('hello', { responseConstraint })));
    }
    return results;
  }, schemas);
  const [rating, object, list, flag, text, nothing, whole, bounded, star] = values;
  expect(rating).toEqual({ Rating: expect.any(Number) });
  expect([typeof object, Array.isArray(list), typeof flag, typeof text, nothing]).toEqual([
    ...['object', true, 'boolean', 'string', null],
  ]);
  expect(Number.isInteger(whole)).toBe(true);
  expect(Math.abs(Number(bounded))).toBeLessThanOrEqual(1);
  expect([1, 2, 3, 4, 5]).toContain(star);
});

test('a schema is shown to the model, unless the page does that itself', async ({ prompting }) => {
  const usages = await prompting.evaluate(async (responseConstraint) => {
    const use = async (omitResponseConstraintInput: boolean) => {
      const session = await LanguageModel.create();
      const options = { responseConstraint, omitResponseConstraintInput };
      JSON.parse(await session.prompt('hello', options));
      return session.contextUsage;
    };
    return [await use(false), await use(true)] as const;
  }, RATING);
  expect(usages[0]).toBeGreaterThan(usages[1] + 20);
});

test('answers match regular expressions, whatever their flags', async ({ prompting }) => {
  const results = await prompting.evaluate(async () => {
    const patterns = [
      ...[/hello/, /^Greetings and salutations[a-z]{0,5}/, /^\w{1,12}$/, /^[ab]{3}$/i, /yes|no/g],
      ...[
        /^\d{4}-\d{2}-\d{2}$/,
        /^(true|false)$/y,
        /^https?:\/\/[a-z]{1,9}\.com$/,
        /^[+-]?\d{1,5}$/u,
      ],
    ];
    const texts: (boolean | string)[] = [];
    for (const responseConstraint of patterns) {
      const session = await LanguageModel.create();
      const text = await session.prompt('hello', { responseConstraint });
      responseConstraint.lastIndex = 0;
      texts.push(responseConstraint.test(text) || text);
    }
    return texts;
  });
  expect(results).toEqual(Array.from({ length: 9 }, () => true));
});

test('constraints that cannot be met are refused', async ({ prompting }) => {
  const results = await prompting.evaluate(async () => {
    const session = await LanguageModel.create();
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const given = [
      circular,
      { type: 'soup' },
      'text',
      null,
      () => 1,
      new RegExp('(a)\\1'),
    ] as object[];
    const refused = given.map((responseConstraint) =>
      window.rejection(session.prompt('hello', { responseConstraint })),
    );
    const alone = { omitResponseConstraintInput: true };
    refused.push(
      window.rejection(session.prompt('hello', alone)),
      window.rejection(session.measureContextUsage('hello', alone)),
    );
    return (await Promise.all(refused)).map(({ name }) => name);
  });
  expect(results).toEqual([
    ...['NotSupportedError', 'NotSupportedError', 'TypeError', 'TypeError', 'TypeError'],
    ...['NotSupportedError', 'TypeError', 'TypeError'],
  ]);
});

test('an answer that the context cuts short is no answer to a constraint', async ({
  prompting,
}) => {
  const results = await prompting.evaluate(async () => {
    const session = await LanguageModel.create();
    // tiny-chat never ends the word.
    const responseConstraint = /^\w+$/;
    const { name } = await window.rejection(session.prompt('hello', { responseConstraint }));
    return [name, session.contextUsage];
  });
  expect(results).toEqual(['SyntaxError', 0]);
});

test('a prefix together with a constraint is refused', async ({ prompting }) => {
  const refused = await prompting.evaluate(async (schema) => {
    const session = await LanguageModel.create();
    const input = [
      { role: 'user', content: 'hello' } as const,
      { role: 'assistant', content: 'invalid', prefix: true } as const,
    ];
    return Promise.all(
      [schema, /^Greetings and salutations.*/].map(async (responseConstraint) => {
        const { name } = await window.rejection(session.prompt(input, { responseConstraint }));
        return name;
      }),
    );
  }, RATING);
  expect(refused).toEqual(['NotSupportedError', 'NotSupportedError']);
});
