import { describe, expect, test } from 'vitest';
import { chooseUnloads, type Tenant } from '../../../../src/engine/scheduling/memory-plan.ts';

const tenant = (id: string, lastUsed: number, rest: Partial<Tenant> = {}): Tenant => ({
  id,
  bytes: 10,
  lastUsed,
  use: 'idle',
  ...rest,
});

const ids = (tenants: Tenant[], bytes: number, budget: number) =>
  chooseUnloads(tenants, bytes, budget).map(({ id }) => id);

describe('what is unloaded for a model', () => {
  const three = [tenant('a', 2), tenant('b', 1), tenant('c', 3)];

  test.each([
    [0, 30, []],
    [10, 40, []],
    [1, 30, ['b']],
    [10, 30, ['b']],
    [11, 30, ['b', 'a']],
    [30, 30, ['b', 'a', 'c']],
  ])('of %i bytes within %i: %j', (bytes, budget, expected) => {
    expect(ids(three, bytes, budget)).toEqual(expected);
  });

  test('that is larger than the budget is everything', () => {
    expect(ids(three, 31, 30)).toEqual(['b', 'a', 'c']);
    expect(ids([], 31, 30)).toEqual([]);
  });

  test('is idle models first, running models last', () => {
    const tenants = [
      tenant('running', 1, { use: 'running' }),
      tenant('awaited', 2, { use: 'awaited' }),
      tenant('idle', 3),
      tenant('awaited sooner', 1, { use: 'awaited' }),
    ];
    expect(ids(tenants, 10, 40)).toEqual(['idle']);
    expect(ids(tenants, 20, 40)).toEqual(['idle', 'awaited sooner']);
    expect(ids(tenants, 40, 40)).toEqual(['idle', 'awaited sooner', 'awaited', 'running']);
  });

  test('continues until there is room, whatever the sizes', () => {
    const tenants = [tenant('small', 1, { bytes: 1 }), tenant('large', 2, { bytes: 29 })];
    expect(ids(tenants, 5, 30)).toEqual(['small', 'large']);
    expect(ids(tenants, 1, 30)).toEqual(['small']);
  });
});
