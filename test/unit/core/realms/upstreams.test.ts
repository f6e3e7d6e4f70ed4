import { expect, test } from 'vitest';
import {
  isServedBy,
  readUpstreams,
  type GivenUpstream,
} from '../../../../src/core/realms/upstreams.ts';

const SITE = new URL('https://site.example/app/');
const GIVEN: GivenUpstream = { name: 'cluster', baseURL: 'https://llm.example/v1/', models: '*' };

function read(given: object, site = SITE) {
  return readUpstreams([{ ...GIVEN, ...given }], site)[0];
}

test.each([
  ['*', 'any/thing', true],
  ['o/m', 'o/m', true],
  ['o/m', 'o/mm', false],
  ['o/*', 'o/m', true],
  ['o/*', 'no/m', false],
  ['*-Instruct', 'o/m-Instruct', true],
  ['*-Instruct', 'o/m-Instruct-2', false],
  ['a*b*c', 'a-b-c', true],
  ['a*b*c', 'abc', true],
  ['a*b*c', 'ac', false],
  ['ab*bc', 'abc', false],
  ['a.c', 'abc', false],
])('%s names %s: %s', (pattern, id, isNamed) => {
  const upstream = read({ models: [pattern] });
  expect(upstream && isServedBy(upstream, id)).toBe(isNamed);
});

test('addresses are absolute, without a slash at their ends, and may be of the site itself', () => {
  expect(read({})).toEqual({ name: 'cluster', baseURL: 'https://llm.example/v1', models: ['*'] });
  expect(read({ baseURL: '/proxy/v1' })?.baseURL).toBe('https://site.example/proxy/v1');
  expect(read({ endpoints: ['/chat/completions'] })?.endpoints).toEqual(['chat/completions']);
});

test.each([
  [{ name: 'a b' }, 'names of letters'],
  [{ name: undefined }, 'names of letters'],
  [{ baseURL: 'http://llm.example/v1' }, 'https baseURL: the browser blocks'],
  [{ baseURL: 'https://llm.example/v1?key=1' }, 'without a user, query'],
  [{ baseURL: 'v1' }, 'slashv1 itself'],
  [{ models: 'o/m' }, 'list of ids'],
  [{ models: [1] }, 'list of ids'],
  [{ endpoints: 'chat' }, 'lists of endpoints'],
  [{ timeoutMs: 0 }, 'timeoutMs above 0'],
])('%j is refused', (given, message) => {
  expect(() => read(given)).toThrow(message);
});

test('http is for pages that come by http, and for this computer', () => {
  const http = { baseURL: 'http://llm.example/v1' };
  expect(read(http, new URL('http://localhost:8080/'))?.baseURL).toBe('http://llm.example/v1');
  expect(read({ baseURL: 'http://localhost:8000/v1' })?.baseURL).toBe('http://localhost:8000/v1');
});

test('two cannot have one name, and there must be a list', () => {
  expect(() => readUpstreams([GIVEN, GIVEN], SITE)).toThrow('different names');
  expect(() => readUpstreams(GIVEN as unknown as GivenUpstream[], SITE)).toThrow('a list');
});
