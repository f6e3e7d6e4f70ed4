import { describe, expect, test } from 'vitest';
import { checkBody } from '../../../../src/console/playground/body/check-body.ts';
import { ENDPOINTS, endpointOf } from '../../../../src/console/playground/endpoints.ts';
import { firstBody } from '../../../../src/console/playground/requests.ts';

const chat = endpointOf('POST /chat/completions');

describe('JSON that cannot be read is placed:', () => {
  test.each([
    ['', 1, 1, 'A value is missing.'],
    ['{', 1, 2, 'A closing brace is missing.'],
    ['{"a" 1}', 1, 6, 'A colon is missing.'],
    ['{\n"a": 1\n"b": 2}', 3, 1, 'A comma is missing.'],
    ['{"a": 1,}', 1, 9, 'A name in double quotes is missing.'],
    ['{"a": [1', 1, 9, 'A closing bracket is missing.'],
    ['{} {}', 1, 4, 'Nothing may follow the object.'],
    ['{ // no\n}', 1, 3, 'JSON has no comments.'],
    ['{"a": "x\n}', 1, 7, 'The closing quote is missing.'],
    ['{"a": 1.}', 1, 7, 'The number is not complete.'],
    ['{"a": "\\q"}', 1, 7, 'The escape sequence is not valid.'],
    ['{"a": nul}', 1, 7, 'The character is not valid here.'],
    ['[]', 1, 1, 'The body must be a JSON object.'],
    ['3', 1, 1, 'The body must be a JSON object.'],
  ])('%j', (text, line, column, what) => {
    expect(checkBody(chat, text, true)).toEqual([{ line, column, what, isRefused: true }]);
  });
});

test.each(['\u00a0{}', '{"a": 01}', '{"a": 1}\u2028', '{"a": NaN}', '\ufeff{}'])(
  'what JSON does not have is always said: %j',
  (text) => {
    expect(() => void JSON.parse(text)).toThrow();
    expect(checkBody(chat, text, false)).toHaveLength(1);
  },
);

test('fields are placed by their names, and what is missing by what should have it', () => {
  const text =
    '{\n  "model": "m",\n  "messages": [\n    { "role": "robot", "content": "x" },\n    {}\n  ]\n}';
  expect(checkBody(chat, text, true).map(({ line, column }) => [line, column])).toEqual([
    [4, 7],
    [5, 5],
  ]);
});

test('what goes to another server is only read as JSON', () => {
  expect(checkBody(chat, '{ "odd": 1 }', false)).toEqual([]);
  expect(checkBody(chat, '{ "odd": 1', false)).toHaveLength(1);
});

test('the fields of a form are checked as the form that is sent', () => {
  const form = endpointOf('POST /audio/transcriptions');
  const body = { model: 'm', timestamp_granularities: ['minute'] };
  const [found] = checkBody(form, JSON.stringify(body, null, 2), true);
  expect(found).toMatchObject({ line: 3, isRefused: true });
  expect(found?.what).toContain('word or segment');
});

test('first bodies are fine once a model is chosen', () => {
  for (const endpoint of ENDPOINTS.filter(({ body }) => body)) {
    const text = firstBody(endpoint, []).replace('"model": ""', '"model": "m"');
    expect(checkBody(endpoint, text, true)).toEqual([]);
  }
});
