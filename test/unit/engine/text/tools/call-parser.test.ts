import { describe, expect, test } from 'vitest';
import { CallParser } from '../../../../../src/engine/text/tools/call-parser.ts';
import { CALL_FAMILIES } from '../../../../../src/engine/text/tools/call-syntax.ts';
import { NAMES, RECORDED, type Family, type Output } from './recorded-outputs.ts';

/** What is parsed from an output that arrives in these pieces. */
function read(family: Family, pieces: readonly string[]): Output {
  const parser = new CallParser(CALL_FAMILIES[family], NAMES);
  const parts = [...pieces.flatMap((piece) => parser.push(piece)), ...parser.flush()];
  const output = pieces.join('');
  const calls: Output['calls'] = [];
  let text = '';
  for (const part of parts) {
    if (part.type === 'text') {
      text += part.text;
      expect(output.slice(part.end - part.text.length, part.end)).toBe(part.text);
    } else if (part.type === 'call') calls.push([part.name, '']);
    else {
      const call = calls.at(-1);
      if (call) call[1] += part.text;
    }
  }
  return { output, text, calls };
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
  const parser = new CallParser(CALL_FAMILIES.hermes, NAMES);
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
  const parser = new CallParser(CALL_FAMILIES.hermes, NAMES);
  expect(parser.push('1 <')).toEqual([{ type: 'text', text: '1', end: 1 }]);
  expect(parser.push('tool_box> 2')).toEqual([{ type: 'text', text: ' <tool_box> 2', end: 14 }]);
});
