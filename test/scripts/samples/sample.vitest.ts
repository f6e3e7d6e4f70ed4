import { describe, expect, test } from 'vitest';

test('passes', () => undefined);
test('is skipped', (context) => context.skip('There is no such program.'));

describe('a group', () => {
  test('fails', () => expect(1).toBe(2));
});

test.skip('is left out', () => undefined);
