import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, test } from 'vitest';
import type { Tool, ToolOffer } from '../../../../../src/core/operations/jobs.ts';
import { objectGrammar } from '../../../../../src/core/grammar/compile.ts';
import { outputConstraint } from '../../../../../src/engine/conversation/constraint/output-constraint.ts';
import { callGrammar } from '../../../../../src/engine/conversation/tools/call-grammar.ts';
import { CallParser } from '../../../../../src/engine/conversation/tools/call-parser.ts';
import { CALL_FAMILIES } from '../../../../../src/engine/conversation/tools/call-syntax.ts';
import { CompiledGrammar, randomFrom } from '../../../core/grammar/support/grammar-engine.ts';
import type { Family } from '../../text/tools/recorded-outputs.ts';

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
const FAMILIES = Object.keys(CALL_FAMILIES) as Family[];

/** How each family writes two calls, in the form of its grammar. */
const WRITTEN: Record<Family, [one: string, two: string]> = {
  hermes: [
    '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Bern"}}\n</tool_call>',
    '\n<tool_call>\n{"name": "get_weather_at", "arguments": {"city": "Basel", "days": 3}}\n</tool_call>',
  ],
  llama: ['{"name": "get_weather", "parameters": {"city": "Bern"}}', '; {"name": "get_time"}'],
  llamaPython: ['[get_weather(city="Bern")]', ', get_weather_at(city="Basel", days=3)]'],
  mistral: [
    '[TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "Bern"}}]',
    ', {"name": "get_weather_at", "arguments": {"city": "Basel", "days": 3}}]',
  ],
  mistralArgs: [
    '[TOOL_CALLS]get_weather[ARGS]{"city": "Bern"}',
    '[TOOL_CALLS]get_weather_at[ARGS]{"city": "Basel", "days": 3}',
  ],
};

function tool(name: string, properties: object, required: string[] = []): Tool {
  const parameters = { type: 'object', properties, required, additionalProperties: false };
  return { name, parameters };
}

/** Both calls in one answer. In Mistral's and Python's lists, the second call stands before the last bracket. */
function several(family: Family): string {
  const [one, two] = WRITTEN[family];
  return (two.startsWith(', ') ? one.slice(0, -1) : one) + two;
}

const compiled: CompiledGrammar[] = [];
afterAll(() => compiled.forEach((grammar) => grammar.dispose()));

interface Held {
  choice?: ToolOffer['choice'];
  parallel?: boolean;
  answer?: string;
  thinking?: { opened: boolean };
}

async function held(family: Family, options: Held = {}): Promise<CompiledGrammar> {
  const { choice = 'auto', parallel = true, answer, thinking } = options;
  const offer = { tools: TOOLS, choice, parallel };
  const ebnf = callGrammar(offer, CALL_FAMILIES[family][0], answer) ?? '';
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

describe.each(FAMILIES)('a grammar for the family %s', (family) => {
  const [one] = WRITTEN[family];
  const isParallel = CALL_FAMILIES[family][0].isParallel;
  const unknown = one.replace('get_weather', 'get_wether');
  const invalid = one.replace('city', 'town');

  test('with auto, allows text, calls, and text followed by calls', async () => {
    const grammar = await held(family);
    expectAll(grammar, ['', 'Hello < { [.', one, `Let me see. ${one}`], true);
    expectAll(grammar, [invalid, `Hm. ${invalid}`, `${one} and`, `${one}\n`], false);
    expect(grammar.accepts(several(family))).toBe(isParallel);
    expect((await held(family, { parallel: false })).accepts(several(family))).toBe(false);
  });

  test('treats an unknown tool as text, or forbids it if a mark began the call', async () => {
    const isMarked = CALL_FAMILIES[family][0].isMarked;
    expect((await held(family)).accepts(unknown)).toBe(!isMarked);
  });

  test('with required, allows only calls', async () => {
    const grammar = await held(family, { choice: 'required' });
    expectAll(grammar, [one], true);
    expectAll(grammar, ['', 'Hello', `Hm. ${one}`, unknown, invalid, `${one}.`], false);
    expect(grammar.accepts(several(family))).toBe(isParallel);
  });

  test('with a named tool, allows one call of it and nothing else', async () => {
    const grammar = await held(family, { choice: { name: 'get_weather' } });
    expect(grammar.accepts(one)).toBe(true);
    expectAll(grammar, ['', unknown, invalid, several(family), one + one], false);
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
    for (let seed = 1; seed <= 25; seed++) {
      const output = await grammar.sample(randomFrom(seed), 600);
      // Random bytes may make calls without end. The calls that are whole by then count.
      for (const [name, json] of read(family, output ?? '')) {
        const schema = TOOLS.find((each) => each.name === name)?.parameters ?? false;
        expect(ajv.validate(schema, JSON.parse(json)), json).toBe(true);
        calls++;
      }
    }
    expect(calls).toBeGreaterThan(20);
  });
});

function read(family: Family, output: string): [name: string, json: string][] {
  const parser = new CallParser(
    CALL_FAMILIES[family],
    TOOLS.map(({ name }) => name),
  );
  const calls: [string, string][] = [];
  for (const part of [...parser.push(output), ...parser.flush(false)]) {
    expect(part.type, output).not.toBe('text');
    if (part.type === 'call') calls.push([part.name, '']);
    const call = calls.at(-1);
    if (part.type === 'arguments' && call) call[1] += part.text;
  }
  return calls;
}

test('if nothing may be called, the grammar is the same as without tools', () => {
  const offer: ToolOffer = { tools: TOOLS, choice: 'none', parallel: true };
  expect(callGrammar(offer, CALL_FAMILIES.hermes[0])).toBeUndefined();
  expect(callGrammar(offer, CALL_FAMILIES.hermes[0], 'root ::= "x"\n')).toBe('root ::= "x"\n');
});
