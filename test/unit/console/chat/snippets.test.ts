import { expect, test } from 'vitest';
import { safeLink } from '../../../../src/console/chat/markdown/safe-link.ts';
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
