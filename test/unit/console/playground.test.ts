import { expect, test } from 'vitest';
import {
  bodyProblem,
  ENDPOINTS,
  endpointOf,
  firstBody,
} from '../../../src/console/playground/requests.ts';
import { rankingOf, similarities, vectorsOf } from '../../../src/console/playground/vectors.ts';

test('every endpoint with a body has a first one that is JSON', () => {
  for (const endpoint of ENDPOINTS.filter(({ body }) => body)) {
    expect(bodyProblem(firstBody(endpoint, []))).toBe('');
  }
});

test('an unknown endpoint is the first one', () => {
  expect(endpointOf('/nothing').path).toBe('/chat/completions');
  expect(endpointOf('/embeddings').task).toBe('embedding');
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
