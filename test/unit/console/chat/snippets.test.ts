import { expect, test } from 'vitest';
import { safeLink } from '../../../../src/console/chat/markdown/safe-link.ts';
import { pyLiteral } from '../../../../src/console/from-code/literals.ts';
import { snippets } from '../../../../src/console/from-code/snippets.ts';

const endpoint = { baseURL: 'https://a.example/lab/v1', apiKey: 'sk-slashv1-x', model: 'a/b' };

test('the snippets for this page contain its base URL, key and model', () => {
  for (const { code } of snippets(endpoint).slice(0, 2)) {
    for (const value of Object.values(endpoint)) expect(code).toContain(value);
  }
});

test('the fetch snippet requests the page’s own chat completions', () => {
  const { code = '' } = snippets(endpoint).find(({ title }) => title === 'fetch') ?? {};
  const request = /fetch\('(?<url>[^']+)'/.exec(code);
  expect(request?.groups?.['url']).toBe('https://a.example/lab/v1/chat/completions');
});

test('all snippets ask as the chat is set', () => {
  const settings = {
    system: 'Be brief.',
    schema: '{"type": "object", "additionalProperties": false}',
    temperature: 0.3,
    seed: 7,
  };
  const codes = snippets({ ...endpoint, settings }).filter(({ code }) => code.includes('a/b'));
  expect(codes.map(({ title }) => title)).toEqual(['openai package', 'fetch', 'curl', 'Python']);
  for (const { title, code } of codes) {
    expect(code, title).toContain('Be brief.');
    expect(code, title).toMatch(/temperature"?[:=] ?0.3,/);
    const no = title === 'Python' ? 'False' : 'false';
    expect(code, title).toMatch(new RegExp(`additionalProperties"?: ${no}`));
  }
});

test('all snippets sample as the chat does, and as its settings say', () => {
  const sampling = { temperature: 0.6, top_k: 20 };
  const settings = { system: '', schema: '', temperature: 0.3 };
  const codes = snippets({ ...endpoint, settings, sampling }).filter(({ code }) =>
    code.includes('a/b'),
  );
  expect(codes).toHaveLength(4);
  for (const { title, code } of codes) {
    expect(code, title).toMatch(/temperature"?[:=] ?0.3,/);
    expect(code, title).toMatch(/top_k"?[:=] ?20/);
    expect(code, title).not.toContain('0.6');
  }
  expect(codes.at(-1)?.code).toContain('extra_body={');
});

test('values of JSON are written as Python', () => {
  const value = { a: [null, true, 'it\'s "x"'], b: {}, c: [] };
  expect(pyLiteral(value)).toBe(
    '{\n    "a": [\n        None,\n        True,\n        "it\'s \\"x\\"",\n    ],\n    "b": {},\n    "c": [],\n}',
  );
  let deep: unknown = 0;
  for (let depth = 0; depth < 3_000; depth++) deep = [deep];
  expect(pyLiteral(deep)).toContain('[[[');
});

test.each([
  ['https://example.org/a', 'https://example.org/a'],
  ['mailto:a@example.org', 'mailto:a@example.org'],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
  ['/relative', null],
  ['', null],
])('a link to %j leads to %j', (href, expected) => {
  expect(safeLink(href)).toBe(expected);
});
