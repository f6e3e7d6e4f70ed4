import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CallParser } from '../../../../../src/engine/conversation/tools/call-parser.ts';
import {
  CALL_FAMILIES,
  type CallSyntax,
} from '../../../../../src/engine/conversation/tools/call-syntax.ts';

const NAMES = ['f', 'get_weather', 'get-time_2'];

interface Call {
  name: string;
  json: string;
}

const anyCall: fc.Arbitrary<Call> = fc.record({
  name: fc.constantFrom(...NAMES),
  json: fc
    .tuple(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), fc.constantFrom(0, 1, 2))
    .map(([value, indent]) => JSON.stringify(value, null, indent)),
});

/** Where an output is cut into pieces, as parts of its length. */
const anyCuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 });

function written(syntax: CallSyntax, calls: readonly Call[]): string {
  const [first, ...more] = calls.map(({ name, json }) =>
    [name, ...syntax.afterName, json].join(''),
  );
  if (first === undefined) return '';
  return [
    ...[...syntax.open, first],
    ...more.flatMap((call) => [...syntax.between, call]),
    ...syntax.close,
  ].join('');
}

function cut(output: string, cuts: readonly number[]): string[] {
  const places = cuts.map((part) => Math.floor(part * output.length)).toSorted((a, b) => a - b);
  return [...places, output.length].map((end, index) => output.slice(places[index - 1] ?? 0, end));
}

function read(syntax: CallSyntax, pieces: readonly string[]) {
  const parser = new CallParser([syntax], NAMES);
  const calls: Call[] = [];
  let text = '';
  for (const part of [...pieces.flatMap((piece) => parser.push(piece)), ...parser.flush(false)]) {
    const last = calls.at(-1);
    if (part.type === 'text') text += part.text;
    else if (part.type === 'call') calls.push({ name: part.name, json: '' });
    else if (last) last.json += part.text;
  }
  return { text, calls };
}

const syntaxes = Object.entries(CALL_FAMILIES)
  .map(([family, [syntax]]): [string, CallSyntax] => [family, syntax])
  .filter(([, syntax]) => syntax.arguments === 'json');

describe.each(syntaxes)('as %s writes them', (_, syntax) => {
  test('any calls are parsed correctly, however they are cut', () => {
    fc.assert(
      fc.property(fc.array(anyCall, { minLength: 1, maxLength: 4 }), anyCuts, (calls, cuts) => {
        expect(read(syntax, cut(written(syntax, calls), cuts))).toEqual({ text: '', calls });
      }),
    );
  });

  test('any text stays as it is, except for white space beside a call', () => {
    const anyText = fc
      .string({ unit: 'grapheme' })
      .filter((text) => !text.includes(syntax.open[0] ?? ''));
    fc.assert(
      fc.property(anyText, fc.array(anyCall, { maxLength: 2 }), anyCuts, (text, calls, cuts) => {
        const output = text + written(syntax, calls);
        const expected = calls.length > 0 ? text.trimEnd() : text;
        expect(read(syntax, cut(output, cuts))).toEqual({ text: expected, calls });
      }),
    );
  });
});
