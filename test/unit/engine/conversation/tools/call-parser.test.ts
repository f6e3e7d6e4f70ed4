import { describe, expect, test } from 'vitest';
import type { Tool } from '../../../../../src/core/operations/jobs/jobs.ts';
import { HERMES } from '../../../../../src/engine/conversation/tools/format/call-format.ts';
import { CallParser } from '../../../../../src/engine/conversation/tools/call-parser.ts';
import { FAMILY_FORMATS, toolsOf, type Family } from '../../text/tools/known-call-formats.ts';
import { TEMPLATES } from '../../text/tools/templates.ts';
import { readCalls } from '../../text/tools/read-calls.ts';
import { NAMES, RECORDED, type Output } from '../../text/tools/recorded-outputs.ts';

const TOOLS = NAMES.map((name): Tool => ({ name, parameters: { type: 'object' } }));

function read(family: Family, pieces: readonly string[]): Output {
  const { text, calls } = readCalls(FAMILY_FORMATS[family], TOOLS, pieces);
  return { output: pieces.join(''), text, calls: calls.map(({ name, json }) => [name, json]) };
}

const families = Object.entries(RECORDED) as [Family, Output[]][];
const cases = families.flatMap(([family, outputs]) =>
  outputs.map((expected) => ({ family, output: expected.output, expected })),
);

describe.each(cases)('$family: $output', ({ family, output, expected }) => {
  test('whole', () => {
    expect(read(family, [output])).toEqual(expected);
  });

  test('split at every place', () => {
    for (let at = 1; at < output.length; at++) {
      const pieces = [output.slice(0, at), output.slice(at)];
      expect(read(family, pieces), `split at ${at}`).toEqual(expected);
    }
  });

  test('one character at a time', () => {
    expect(read(family, output.split(''))).toEqual(expected);
  });
});

test('arguments of whole calls are JSON', () => {
  const whole = cases.filter(({ output }) => /[\])}>]$/.test(output));
  const made = whole.flatMap(({ expected }) => expected.calls);
  expect(made.length).toBeGreaterThan(15);
  for (const [, json] of made) expect(() => void JSON.parse(json), json).not.toThrow();
});

test('a call is reported when its arguments begin, and they are streamed', () => {
  const parser = new CallParser(HERMES, TOOLS);
  expect(parser.push('Well. <tool_call>\n{"name": "get", "arguments": ')).toEqual([
    { type: 'text', text: 'Well.', end: 5 },
  ]);
  expect(parser.push('{"a')).toEqual([
    { type: 'call', name: 'get' },
    { type: 'arguments', text: '{"a' },
  ]);
  expect(parser.push('": 1')).toEqual([{ type: 'arguments', text: '": 1' }]);
});

test('text is held back only while it may be the beginning of a call', () => {
  const parser = new CallParser(HERMES, TOOLS);
  expect(parser.push('1 <')).toEqual([{ type: 'text', text: '1', end: 1 }]);
  expect(parser.push('tool_box> 2')).toEqual([{ type: 'text', text: ' <tool_box> 2', end: 14 }]);
});

describe('an output that is cut', () => {
  const CALL = '<tool_call>\n{"name": "get", "arguments": {"a": 1}}\n</tool_call>';

  /** Text, and the number of calls. */
  function cut(output: string, isCut = true) {
    const parser = new CallParser(HERMES, TOOLS);
    const parts = [...parser.push(output), ...parser.flush(isCut)];
    const texts = parts.map((part) => (part.type === 'text' ? part.text : ''));
    return [texts.join(''), parts.filter(({ type }) => type === 'call').length];
  }

  test.each([
    ['<tool_call>\n{"name": "get_wea', ['', 0]],
    ['Well. <tool_call>\n{"na', ['Well.', 0]],
    ['<tool_c', ['', 0]],
    [`${CALL}\n<tool_call>\n{"name": "ge`, ['', 1]],
    [CALL.slice(0, -3), ['', 1]],
    [CALL.slice(0, -20), ['', 1]],
    ['Well, that is a', ['Well, that is a', 0]],
  ])('in %j has no markup as its text', (output, expected) => {
    expect(cut(output)).toEqual(expected);
  });

  test('keeps what the model itself ended with', () => {
    expect(cut('1 <', false)).toEqual(['1 <', 0]);
  });
});

describe('arguments in tags', () => {
  const format = toolsOf(TEMPLATES.XML).callFormat;
  const properties = {
    code: { type: 'string' },
    note: { type: ['string', 'null'] },
    any: {},
    days: { $ref: '#/$defs/days' },
    flag: { type: 'boolean' },
    list: { anyOf: [{ type: 'array' }, { type: 'null' }] },
  };
  const $defs = { days: { type: 'integer' } };
  const tools: Tool[] = [{ name: 'get', parameters: { type: 'object', properties, $defs } }];
  const tagged = (name: string, value: string) => `<parameter=${name}>\n${value}\n</parameter>\n`;
  const call = (...args: string[]) =>
    `<tool_call>\n<function=get>\n${args.join('')}</function>\n</tool_call>`;

  test.each([
    ['code', '3', '"3"'],
    ['code', ' a\n  "b" \\', JSON.stringify(' a\n  "b" \\')],
    ['code', '', '""'],
    ['note', 'null', 'null'],
    ['note', '3', '"3"'],
    ['any', '3', '3'],
    ['any', 'three', '"three"'],
    ['days', '12345678901234567890', '12345678901234567890'],
    ['flag', 'True', 'true'],
    ['list', "['a', None, {'b': True}]", '["a", null, {"b": true}]'],
    ['unknown', '{"a": 1}', '{"a": 1}'],
  ])('%s, written as %j, is %s', (name, value, json) => {
    const { calls } = readCalls(format, tools, call(tagged(name, value)).split(''));
    expect(calls).toEqual([{ name: 'get', json: `{"${name}": ${json}}` }]);
  });

  test('are read without the line breaks that the template has', () => {
    const written =
      '<tool_call><function=get><parameter=code>a</parameter><parameter=days>2</parameter></function></tool_call>';
    expect(readCalls(format, tools, [written])).toEqual({
      text: '',
      calls: [{ name: 'get', json: '{"code": "a", "days": 2}' }],
    });
  });

  test('are streamed while a string is written', () => {
    const parser = new CallParser(format, tools);
    parser.push('<tool_call>\n<function=get>\n<parameter=code>\nlet a');
    expect(parser.push(' = 1 < 2;\n')).toEqual([{ type: 'arguments', text: ' = 1 < 2;' }]);
    expect(parser.push('</param')).toEqual([]);
    expect(parser.push('s>')).toEqual([{ type: 'arguments', text: '\\n</params>' }]);
  });

  test('are whole JSON if the model ends its answer after one of them, and a part of it if it is cut', () => {
    const begun = `<tool_call>\n<function=get>\n${tagged('days', '2')}`;
    expect(readCalls(format, tools, [begun]).calls).toEqual([{ name: 'get', json: '{"days": 2}' }]);
    const parser = new CallParser(format, tools);
    const parts = [...parser.push(begun), ...parser.flush(true)];
    expect(parts.at(-1)).toEqual({ type: 'arguments', text: '{"days": 2' });
  });
});
