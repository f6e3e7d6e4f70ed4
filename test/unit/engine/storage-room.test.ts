import { expect, test } from 'vitest';
import { chooseEvictions } from '../../../src/engine/storage-room.ts';

const models = [
  { id: 'new', bytes: 30, lastUsed: 3 },
  { id: 'never', bytes: 10, lastUsed: 0 },
  { id: 'old', bytes: 20, lastUsed: 1 },
];
const chosen = (needed: number) => chooseEvictions(models, needed)?.map(({ id }) => id);

test('those go first that were not used for longest, and no more than it takes', () => {
  expect(chosen(10)).toEqual(['never']);
  expect(chosen(11)).toEqual(['never', 'old']);
  expect(chosen(31)).toEqual(['never', 'old', 'new']);
});

test('where all of them would not do, none goes', () => {
  expect(chosen(61)).toBeUndefined();
  expect(chooseEvictions([], 1)).toBeUndefined();
});
