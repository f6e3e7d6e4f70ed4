import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TemplateMessage, Tool } from '../../../../../src/core/operations/jobs/jobs.ts';
import {
  textsOf,
  writeCalls,
  type CallFormat,
  type WrittenCall,
} from '../../../../../src/engine/conversation/tools/format/call-format.ts';
import { valueJson } from '../../../../../src/engine/conversation/tools/arguments/python-values.ts';
import { callGrammar } from '../../../../../src/engine/conversation/tools/call-grammar.ts';
import { CompiledGrammar, randomFrom } from '../../../core/grammar/support/grammar-engine.ts';
import { CALL_FORMS, type CallForm } from '../../text/tools/call-forms.ts';
import { FAMILY_FORMATS, toolsOf } from '../../text/tools/known-call-formats.ts';
import { readCalls } from '../../text/tools/read-calls.ts';

const RUNS = { numRuns: 40 };

/** A value of each type. `note` may be two of them. */
const PROPERTIES = {
  text: { type: 'string', maxLength: 6 },
  count: { type: 'integer', minimum: -5, maximum: 20 },
  flag: { type: 'boolean' },
  list: { type: 'array', items: { type: 'string', maxLength: 3 }, maxItems: 2 },
  place: {
    type: 'object',
    properties: { city: { enum: ['Bern', 'Basel'] }, high: { type: 'number', maximum: 3 } },
    required: ['city'],
  },
  unit: { enum: ['km', 'mi'] },
  note: { type: ['integer', 'null'] },
};

const TOOLS: Tool[] = [
  { name: 'get', parameters: { type: 'object', properties: PROPERTIES } },
  { name: 'get_time', parameters: { type: 'object', properties: {} } },
];

/** Marks begin with this sign: a text in which it occurs may look like one. */
const withoutMarks = (text: string) => !/[<\ud800-\udfff]/.test(text);
const anyText = fc.string({ unit: 'grapheme' }).filter(withoutMarks);
/** Without a schema, an element with `12` is a number. */
const anyWords = anyText.filter((text) => valueJson(text) === undefined);
const anyArguments = fc.record(
  {
    text: anyText,
    count: fc.integer(),
    flag: fc.boolean(),
    list: fc.array(anyText),
    place: fc.dictionary(fc.constantFrom('a', 'key_2'), fc.oneof(anyWords, fc.integer())),
    unit: fc.constantFrom('km', 'mi'),
    note: fc.option(fc.integer()),
  },
  { requiredKeys: [] },
);
const anyCall: fc.Arbitrary<WrittenCall> = fc.oneof(
  anyArguments.map((args) => ({ name: 'get', json: JSON.stringify({ ...args }) })),
  fc.constant({ name: 'get_time', json: '{}' }),
);

/** Where an output is cut into pieces, as parts of its length. */
const anyCuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 });

function cut(output: string, cuts: readonly number[]): string[] {
  const places = cuts.map((part) => Math.floor(part * output.length)).toSorted((a, b) => a - b);
  return [...places, output.length].map((end, index) => output.slice(places[index - 1] ?? 0, end));
}

function parsed(calls: readonly WrittenCall[]): [name: string, values: unknown][] {
  return calls.map(({ name, json }) => [name, JSON.parse(json)]);
}

function conversation(calls: readonly WrittenCall[]): TemplateMessage[] {
  const toolCalls = calls.map(({ name, json }, index) => ({
    id: `call0000${index}`,
    name,
    arguments: json,
  }));
  return [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: '', toolCalls },
  ];
}

/** Without white space, and with one id for all calls. */
function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, '').replaceAll(/call0000\d/g, 'ID');
}

describe.each(Object.keys(CALL_FORMS) as CallForm[])('a template that writes %s', (form) => {
  const { render, callFormat, isNative } = toolsOf(CALL_FORMS[form]);

  test('is spoken to in its own form, with several calls in an answer', () => {
    expect(isNative).toBe(true);
    expect(callFormat.separator).toBeDefined();
  });

  test('any calls are parsed correctly, however they are cut', () => {
    fc.assert(
      fc.property(fc.array(anyCall, { minLength: 1, maxLength: 3 }), anyCuts, (calls, cuts) => {
        const { text, calls: found } = readCalls(
          callFormat,
          TOOLS,
          cut(writeCalls(callFormat, calls), cuts),
        );
        expect([text, parsed(found)]).toEqual(['', parsed(calls)]);
      }),
      RUNS,
    );
  });

  test('any text stays as it is, except for white space beside a call', () => {
    fc.assert(
      fc.property(anyText, fc.array(anyCall, { maxLength: 2 }), anyCuts, (said, calls, cuts) => {
        fc.pre(!said.includes('['));
        const output = said + (calls.length > 0 ? writeCalls(callFormat, calls) : '');
        const { text, calls: found } = readCalls(callFormat, TOOLS, cut(output, cuts));
        const expected = calls.length > 0 ? said.trimEnd() : said;
        expect([text, parsed(found)]).toEqual([expected, parsed(calls)]);
      }),
      RUNS,
    );
  });

  test('the template renders calls as the format writes them', () => {
    fc.assert(
      fc.property(fc.array(anyCall, { minLength: 1, maxLength: 3 }), (calls) => {
        // Arrays and null are written as Python or the template's author likes.
        fc.pre(calls.every(({ json }) => !/"list"|null/.test(json)));
        const written = squeezed(writeCalls(callFormat, calls, 'ID'));
        expect(squeezed(render(conversation(calls), {}, TOOLS))).toContain(written);
      }),
      RUNS,
    );
  });

  test('whatever its grammar lets a model write is parsed as valid calls, which the template renders again', async () => {
    const offer = { tools: TOOLS, choice: 'required' as const, parallel: true };
    const grammar = await CompiledGrammar.compile(callGrammar(offer, callFormat) ?? '');
    const ajv = new Ajv2020({ strict: false });
    let count = 0;
    for (let seed = 1; seed <= 5; seed++) {
      const output = await grammar.sample(randomFrom(seed), 600);
      const { text, calls } = readCalls(callFormat, TOOLS, (output ?? '').split(''));
      expect(text, output).toBe('');
      if (output === undefined) continue;
      for (const { name, json } of calls) {
        const schema = TOOLS.find((tool) => tool.name === name)?.parameters ?? false;
        expect(ajv.validate(schema, JSON.parse(json)), output).toBe(true);
        count++;
      }
      expect(grammar.accepts(writeCalls(callFormat, calls)), output).toBe(true);
      const [, called = ''] = render(conversation(calls), {}, TOOLS).split(
        '<|im_start|>assistant\n',
      );
      expect(parsed(readCalls(callFormat, TOOLS, [called]).calls)).toEqual(parsed(calls));
    }
    grammar.dispose();
    expect(count).toBeGreaterThan(2);
  });
});

const jsonFormats = Object.entries(FAMILY_FORMATS as Record<string, CallFormat>).filter(
  ([, format]) => format.arguments.kind === 'json',
);

test.each(jsonFormats)('%s: arguments of any JSON are passed on as they are', (_, format) => {
  const names = ['f', 'get_weather', 'get-time_2'];
  const tools = names.map((name): Tool => ({ name, parameters: { type: 'object' } }));
  const anyJson = fc
    .tuple(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), fc.constantFrom(0, 1, 2))
    .map(([value, indent]) => JSON.stringify(value, null, indent));
  const call = fc.record({ name: fc.constantFrom(...names), json: anyJson });
  fc.assert(
    fc.property(call, anyCuts, (made, cuts) => {
      const output = writeCalls(format, [made]);
      expect(readCalls(format, tools, cut(output, cuts))).toEqual({ text: '', calls: [made] });
    }),
  );
});

test('a format knows all texts that it writes', () => {
  for (const form of Object.keys(CALL_FORMS) as CallForm[]) {
    const { callFormat } = toolsOf(CALL_FORMS[form]);
    const texts = textsOf(callFormat).join('');
    const marks = writeCalls(callFormat, [{ name: 'f', json: '{"a":"b"}' }]).match(/<[^<>]+>/g);
    for (const mark of marks ?? []) {
      // The others have the name of the function or of the argument.
      if (!/=|^<\/?a>$/.test(mark)) expect(texts).toContain(mark);
    }
  }
});
