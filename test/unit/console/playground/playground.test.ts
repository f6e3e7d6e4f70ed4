import { expect, test } from 'vitest';
import { apiEndpoints } from '../../../../sw/endpoints.ts';
import {
  ENDPOINTS,
  endpointOf,
  nameOf,
  pathNames,
  pathOf,
  requestedEndpoint,
} from '../../../../src/console/playground/endpoints.ts';
import { bodyProblem, firstBody } from '../../../../src/console/playground/requests.ts';
import { rankingOf, similarities, vectorsOf } from '../../../../src/console/playground/vectors.ts';

test('every endpoint with a body has a first one that is JSON', () => {
  for (const endpoint of ENDPOINTS.filter(({ body }) => body)) {
    expect(bodyProblem(firstBody(endpoint, []))).toBe('');
  }
});

test('it has every route of the API, and no other', () => {
  const routes = apiEndpoints().map(({ method, path }) => `${method} /${path}`);
  expect(ENDPOINTS.map(nameOf).sort()).toEqual(routes.sort());
});

test('what takes something away is marked', () => {
  const marked = ENDPOINTS.filter(({ removes }) => removes).map(nameOf);
  const meant = ENDPOINTS.map(nameOf).filter((name) => /^DELETE|\/unload$/.test(name));
  expect(marked).toEqual(meant);
});

test('an unknown endpoint is the first one', () => {
  expect(endpointOf('nothing').path).toBe('/chat/completions');
  expect(endpointOf('embeddings').task).toBe('embedding');
  expect(nameOf(endpointOf('DELETE /models/{model}'))).toBe('DELETE /models/{model}');
});

test.each([
  ['GET', '/models', 'GET /models', {}],
  ['GET', '/models/a%2Fb', 'GET /models/{model}', { model: 'a/b' }],
  ['POST', '/models/a%2Fb/load', 'POST /models/{model}/load', { model: 'a/b' }],
  ['POST', '/responses/input_tokens', 'POST /responses/input_tokens', {}],
  ['DELETE', '/responses/resp_1', 'DELETE /responses/{response}', { response: 'resp_1' }],
  ['GET', '/models/%E0%A4', 'GET /models/{model}', { model: '%E0%A4' }],
] as const)('%s %s is a request to %s', (method, path, name, values) => {
  const found = requestedEndpoint(method, path);
  expect(found && nameOf(found.endpoint)).toBe(name);
  expect(found?.values).toEqual(values);
});

test('a request that no endpoint takes has none', () => {
  expect(requestedEndpoint('PUT', '/models')).toBeUndefined();
});

test('values are put into the path and the query', () => {
  const load = endpointOf('POST /models/{model}/load');
  expect(pathNames(load)).toEqual(['model']);
  expect(pathOf(load, { model: 'a/b c' })).toBe('/models/a%2Fb%20c/load');
  const items = endpointOf('GET /responses/{response}/input_items');
  expect(pathOf(items, { response: 'resp_1', limit: '5', order: '' })).toBe(
    '/responses/resp_1/input_items?limit=5',
  );
});

test.each(['{', '3', 'null'])('%j is no body', (text) => {
  expect(bodyProblem(text)).not.toBe('');
});

test('equal vectors are alike, those at a right angle are not', () => {
  expect(
    similarities([
      [1, 0],
      [2, 0],
      [0, 3],
    ]),
  ).toEqual([
    [1, 1, 0],
    [1, 1, 0],
    [0, 0, 1],
  ]);
  expect(similarities([[0, 0]])).toEqual([[0]]);
});

test('vectors and rankings are found in responses, and in nothing else', () => {
  expect(vectorsOf({ data: [{ embedding: [1, 2] }] })).toEqual([[1, 2]]);
  expect(vectorsOf({ data: [{ embedding: 'AAAA' }] })).toBeUndefined();
  expect(rankingOf({ results: [{ index: 2, relevance_score: 0.5 }] })).toEqual([
    { index: 2, score: 0.5 },
  ]);
  expect(rankingOf({ results: [{}] })).toBeUndefined();
  expect(rankingOf('text')).toBeUndefined();
});
