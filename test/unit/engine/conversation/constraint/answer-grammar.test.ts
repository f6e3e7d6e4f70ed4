import { describe, expect, test, vi } from 'vitest';
import { toErrorData, type ApiErrorData } from '../../../../../src/core/errors/errors.ts';
import type { AnswerFormat, Tool } from '../../../../../src/core/operations/jobs/jobs.ts';
import {
  argumentsGrammar,
  checkSchemas,
  formatGrammar,
} from '../../../../../src/engine/conversation/constraint/answer-grammar.ts';
import { KEYWORDS } from '../../../core/grammar/support/notations.ts';
import { answerOf, chatJob, openEngine } from '../../../support/servers/engine-site.ts';
import { FakeMlcEngine } from '../../../support/fakes/fake-mlc-engine.ts';
import { NEVER } from '../../../support/never.ts';

vi.mock('@mlc-ai/web-llm', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  MLCEngine: (await import('../../../support/fakes/fake-mlc-engine.ts')).FakeMlcEngine,
}));

function tool(parameters: Tool['parameters'], name = 'f'): Tool {
  return { name, parameters };
}

function offer(...tools: Tool[]) {
  return { tools: { tools, choice: 'auto' as const, parallel: true } };
}

function refusalOf(job: Parameters<typeof checkSchemas>[0]): ApiErrorData | undefined {
  try {
    checkSchemas(job);
    return undefined;
  } catch (error) {
    return toErrorData(error);
  }
}

const json = (schema: unknown): AnswerFormat => ({ type: 'json_schema', schema });

describe('the grammar of an answer', () => {
  test('is absent for free text', () => {
    expect(formatGrammar(undefined)).toBeUndefined();
  });

  test('is that of any object, or of the schema', () => {
    expect(formatGrammar({ type: 'json_object' })).toMatch(/^root ::= object\n/);
    expect(formatGrammar(json({ const: 7 }))).toMatch(/^root ::= .*7/s);
  });

  test('of arguments is that of an object, whatever else their schema allows', () => {
    const properties = { a: { const: 1 } };
    const grammar = argumentsGrammar(tool({ properties }), 0);
    expect(argumentsGrammar(tool({ type: ['object', 'null'], properties }), 0)).toBe(grammar);
    expect(grammar).not.toContain('null');
    expect(argumentsGrammar(tool({ properties }), 0, KEYWORDS)).toContain('"="');
  });
});

describe('a schema that cannot be enforced', () => {
  test.each([
    [
      { format: json({ $dynamicRef: '#' }) },
      'schema.$dynamicRef',
      { part: 'schema', path: '.$dynamicRef' },
    ],
    [{ format: json('x') }, 'schema', { part: 'schema', path: '' }],
    [
      offer(tool({}), { ...tool({ properties: { 'a b': { $dynamicRef: '#' } } }), strict: true }),
      'tools[1].parameters.properties["a b"].$dynamicRef',
      { part: 'tools', path: '[1].parameters.properties["a b"].$dynamicRef' },
    ],
    [
      offer(tool({ type: 'string' })),
      'tools[0].parameters.type',
      { part: 'tools', path: '[0].parameters.type' },
    ],
  ])('in %j is a fault of that part of the job', (job, param, fault) => {
    const data = refusalOf(job);
    expect(data).toMatchObject({ status: 400, code: 'invalid_json_schema', param, fault });
    expect(data?.message).toMatch(`'${param}' `);
  });

  test('in one of many tools that are too large together is a fault of all of them', () => {
    const names = Array.from({ length: 100 }, (_, index) => `${'p'.repeat(100)}${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'number' }]));
    const large = tool({ properties, required: names, additionalProperties: false });
    const most = Math.floor(400_000 / argumentsGrammar(large, 0).length);
    expect(() => checkSchemas(offer(...Array(most).fill(large)))).not.toThrow();
    expect(() => checkSchemas(offer(...Array(most + 1).fill(large)))).toThrow(
      "'tools' are too large together.",
    );
  });

  test('in a tool without strict: true is held as far as it can be', () => {
    const sets = { names: { type: 'array', items: { type: 'string' }, uniqueItems: true } };
    expect(() => checkSchemas(offer(tool({ properties: sets })))).not.toThrow();
    expect(argumentsGrammar(tool({ properties: sets }), 0)).toContain('names');
  });

  test('does not matter in a tool that the model is not told about', () => {
    const tools = [{ ...tool({ properties: { a: { $dynamicRef: '#' } } }), strict: true }];
    const none = { tools: { tools, choice: 'none' as const, parallel: true } };
    expect(() => checkSchemas(none)).not.toThrow();
  });

  test('is refused before the model is looked for', async () => {
    const { engine } = await openEngine();
    const job = { ...chatJob('unknown', 'Hi'), format: json({ $dynamicRef: '#' }) };
    await expect(answerOf(engine.run(job, NEVER))).rejects.toMatchObject({
      data: { code: 'invalid_json_schema' },
    });
  });

  test('is refused while the model answers another job', async () => {
    const { engine } = await openEngine();
    const answer = engine.run(chatJob('a', 'Hi'), NEVER);
    await answer[Symbol.asyncIterator]().next();
    const job = { ...chatJob('a', 'Hi'), format: json({ $dynamicRef: '#' }) };
    await expect(answerOf(engine.run(job, NEVER))).rejects.toMatchObject({
      data: { code: 'invalid_json_schema' },
    });
    expect((await answerOf(answer)).text).toBe('Hello there');
  });
});

test.each([
  [{ format: { type: 'json_object' as const } }, 'format'],
  [offer(tool({})), 'tools'],
])('a grammar that the engine below cannot compile is a fault: %j', async (rest, part) => {
  const { engine, onBroken } = await openEngine();
  await answerOf(engine.run(chatJob('a', 'Hi'), NEVER));
  FakeMlcEngine.last.generate = async function* () {
    yield* [];
    throw Object.assign(new Error('Aborted()'), { name: 'GrammarMatcherInitError' });
  };
  const answer = answerOf(engine.run({ ...chatJob('a', 'Hi'), ...rest }, NEVER));
  await expect(answer).rejects.toMatchObject({
    data: { status: 400, code: 'invalid_json_schema', fault: { part } },
  });
  expect(onBroken).not.toHaveBeenCalled();
});
