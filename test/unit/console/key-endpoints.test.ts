import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../../src/console/keys/endpoints.ts';
import { ENDPOINTS as LIMITABLE } from '../../../src/core/realms/endpoints.ts';

test('a key can be limited to every endpoint that the API knows', () => {
  expect(ENDPOINTS).toEqual(LIMITABLE);
});
