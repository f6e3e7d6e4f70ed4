import { expect, test } from 'vitest';
import { listPart, type ListPart } from '../../../../src/core/operations/jobs/list-part.ts';

const ALL = ['a', 'b', 'c', 'd', 'e'];
const part = (given: Partial<ListPart>) => {
  const { items, hasMore } = listPart(ALL, { limit: 2, order: 'asc', ...given }, (id) => id);
  return `${items.join('')}${hasMore ? '…' : ''}`;
};

test.each<[Partial<ListPart>, string]>([
  [{}, 'ab…'],
  [{ order: 'desc' }, 'ed…'],
  [{ after: 'b' }, 'cd…'],
  [{ after: 'c' }, 'de'],
  [{ after: 'c', order: 'desc' }, 'ba'],
  [{ after: 'e' }, ''],
  [{ before: 'e' }, 'cd…'],
  [{ before: 'c' }, 'ab'],
  [{ after: 'a', before: 'e' }, 'bc…'],
  [{ after: 'x' }, 'ab…'],
  [{ limit: 9 }, 'abcde'],
])('%j is %s', (given, wanted) => {
  expect(part(given)).toBe(wanted);
});
