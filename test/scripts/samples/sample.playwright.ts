import { expect, test } from 'playwright/test';

test('passes', () => undefined);

test.describe('a group', () => {
  test('fails', () => expect(1).toBe(2));
  test('is skipped', () => test.skip(true, 'There is no such program.'));
});

test.describe('a broken group', () => {
  test.beforeAll(() => {
    throw new Error('no server');
  });
  test('is not set up', () => undefined);
  test('does not run', () => undefined);
});
