import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, test } from 'vitest';
import type { Tool, ToolOffer } from '../../../../../src/core/operations/jobs/jobs.ts';
import { objectGrammar } from '../../../../../src/core/grammar/compile.ts';
import { outputConstraint } from '../../../../../src/engine/conversation/constraint/output-constraint.ts';
import { callGrammar } from '../../../../../src/engine/conversation/tools/call-grammar.ts';
import {
  besideMarks,
  HERMES,
  markOf,
  writeCalls,
  type CallFormat,
} from '../../../../../src/engine/conversation/tools/format/call-format.ts';
import { KNOWN_FORMATS } from '../../../../../src/engine/conversation/tools/format/known-formats.ts';
import { CompiledGrammar, randomFrom } from '../../../core/grammar/support/grammar-engine.ts';
import { FORMATS } from '../../text/tools/known-call-formats.ts';
import { readCalls } from '../../text/tools/read-calls.ts';

/** The names begin alike, and so do the arguments: a grammar engine may confuse them. */
const TOOLS: Tool[] = [
  tool('get_weather', { city: { type: 'string', maxLength: 8 } }, ['city']),
  tool('get_weather_at', {
    city: { enum: ['Bern', 'Basel'] },
    days: { type: 'integer', minimum: 1, maximum: 12 },
    detail: { type: ['boolean', 'null'] },
  }),
  tool('get_time', {}),
];

const THINK = { open: '<think>', close: '</think>' };
const ONE = { name: 'get_weather', json: '{"city": "Bern"}' };
const OTHER = { name: 'get_weather_at', json: '{"city": "Basel", "days": 3}' };

function tool(name: string, properties: object, required: string[] = []): Tool {
  const parameters = { type: 'object', properties, required, additionalProperties: false };
  return { name, parameters };
}

const compiled: CompiledGrammar[] = [];
afterAll(() => compiled.forEach((grammar) => grammar.dispose()));

interface Held {
  choice?: ToolOffer['choice'];
  parallel?: boolean;
  answer?: string;
  thinking?: { opened: boolean };
}

async function held(callFormat: CallFormat, options: Held = {}): Promise<CompiledGrammar> {
  const { choice = 'auto', parallel = true, answer, thinking } = options;
  const offer = { tools: TOOLS, choice, parallel };
  const ebnf = callGrammar(offer, callFormat, answer) ?? '';
  const format = outputConstraint(ebnf, thinking && { marks: THINK, ...thinking });
  const grammar = await (format.type === 'grammar'
    ? CompiledGrammar.compile(format.grammar)
    : CompiledGrammar.compileTag(format.structural_tag));
  compiled.push(grammar);
  return grammar;
}

function expectAll(grammar: CompiledGrammar, texts: string[], accepted: boolean): void {
  for (const text of texts) expect(grammar.accepts(text), text).toBe(accepted);
}

test('a channel that a call shares with texts allows both, with auto', async () => {
  const known = KNOWN_FORMATS.find(({ sign }) => sign.startsWith('# Valid channels'));
  const harmony = besideMarks(known?.format ?? HERMES, ['<|channel|>final<|message|>']);
  const grammar = await held(harmony);
  const call = writeCalls(harmony, [ONE]);
  expectAll(grammar, ['<|channel|>final<|message|>Yes.', call], true);
  expectAll(grammar, [call.replace('city', 'town'), `${call}.`], false);
});

describe.each(FORMATS)('a grammar for the format %s', (_, family) => {
  const one = writeCalls(family, [ONE]);
  const several = writeCalls(family, [ONE, OTHER]);
  const isParallel = family.separator !== undefined;
  const unknown = one.replace('get_weather', 'get_wether');
  const invalid = one.replace('city', 'town');

  test('with auto, allows text, calls, and text followed by calls', async () => {
    const grammar = await held(family);
    expectAll(grammar, ['', 'Hello < { [.', one, `Let me see. ${one}`], true);
    expectAll(grammar, [invalid, `Hm. ${invalid}`, `${one} and`, `${one}\n`], false);
    expect(grammar.accepts(several)).toBe(isParallel);
    expect((await held(family, { parallel: false })).accepts(several)).toBe(false);
  });

  test('treats an unknown tool as text, or forbids it if a mark began the call', async () => {
    expect((await held(family)).accepts(unknown)).toBe(markOf(family) === undefined);
  });

  test('with required, allows only calls', async () => {
    const grammar = await held(family, { choice: 'required' });
    expectAll(grammar, [one], true);
    expectAll(grammar, ['', 'Hello', `Hm. ${one}`, unknown, invalid, `${one}.`], false);
    expect(grammar.accepts(several)).toBe(isParallel);
  });

  test('with a named tool, allows one call of it and nothing else', async () => {
    const grammar = await held(family, { choice: { name: 'get_weather' } });
    expect(grammar.accepts(one)).toBe(true);
    expectAll(grammar, ['', unknown, invalid, several, one + one], false);
    const other = await held(family, { choice: { name: 'get_time' } });
    expect(other.accepts(one)).toBe(false);
  });

  test('constrains an answer in text to the requested format', async () => {
    const grammar = await held(family, { answer: objectGrammar() });
    expectAll(grammar, [one, '{"name": "Ann"}', '{}'], true);
    expectAll(grammar, ['Hello', `{}${one}`, `${one}{}`], false);
  });

  test.each([false, true])('lets the model think first (begun by prompt: %s)', async (opened) => {
    const thought = `${opened ? '' : '<think>'}\nI could call: ${invalid}\n</think>\n\n`;
    const auto = await held(family, { thinking: { opened } });
    expectAll(auto, [thought + one, `${thought}Hello. ${one}`, `${thought}Hello`], true);
    expectAll(auto, [thought + invalid, `${thought}Hm. ${invalid}`, `${thought}${one}.`], false);
    const required = await held(family, { choice: 'required', thinking: { opened } });
    expect(required.accepts(thought + one)).toBe(true);
    expectAll(required, [`${thought}Hello`, thought + invalid, `${thought}Hm. ${one}`], false);
  });

  test('leads to valid calls only, however a model chooses', async () => {
    const grammar = await held(family, { choice: 'required' });
    const ajv = new Ajv2020({ strict: false });
    let calls = 0;
    for (let seed = 1; seed <= 10; seed++) {
      const output = await grammar.sample(randomFrom(seed), 600);
      // Random bytes may make calls without end. The calls that are whole by then count.
      const { text, calls: written } = readCalls(family, TOOLS, [output ?? '']);
      expect(text, output).toBe('');
      for (const { name, json } of output === undefined ? [] : written) {
        const schema = TOOLS.find((each) => each.name === name)?.parameters ?? false;
        expect(ajv.validate(schema, JSON.parse(json)), json).toBe(true);
        calls++;
      }
    }
    expect(calls).toBeGreaterThan(8);
  });
});

test('if nothing may be called, the grammar is the same as without tools', () => {
  const offer: ToolOffer = { tools: TOOLS, choice: 'none', parallel: true };
  expect(callGrammar(offer, HERMES)).toBeUndefined();
  expect(callGrammar(offer, HERMES, 'root ::= "x"\n')).toBe('root ::= "x"\n');
});
