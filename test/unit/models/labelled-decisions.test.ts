import { describe, expect, test } from 'vitest';
import type { Item } from '../../../models/decisions/item.ts';
import { labelledItems } from '../../../models/decisions/items.ts';

const ITEMS = labelledItems();
const HALVES = ['fit', 'measure'] as const;

function counts(keys: readonly (string | number)[]): number[] {
  const groups = Object.groupBy(keys, String);
  return Object.values(groups).map((group) => group?.length ?? 0);
}

/** How often each of the keys occurs must be the same. */
function expectEven(keys: readonly (string | number)[]): void {
  expect(new Set(counts(keys)).size).toBe(1);
}

function families(type: Item['type']): [string, Item[]][] {
  const items = ITEMS.filter((item) => item.type === type);
  return Object.entries(Object.groupBy(items, ({ family }) => family)).map(([family, made]) => [
    family,
    made ?? [],
  ]);
}

describe('the labelled set of decisions', () => {
  test('has at least a hundred questions of each type', () => {
    expect(ITEMS.length).toBeGreaterThanOrEqual(300);
    for (const count of counts(ITEMS.map(({ type }) => type)))
      expect(count).toBeGreaterThanOrEqual(100);
  });

  test('is always the same', () => {
    expect(labelledItems()).toEqual(ITEMS);
  });

  test('has no question twice, and each has an id', () => {
    const asked = ITEMS.map(({ input, instructions }) => JSON.stringify([input, instructions]));
    expect(new Set(asked).size).toBe(ITEMS.length);
    expect(new Set(ITEMS.map(({ id }) => id)).size).toBe(ITEMS.length);
  });

  test('is half for fitting and half for measuring', () => {
    expectEven(ITEMS.map(({ half }) => half));
  });

  test.each(families('predicate'))('%s is true as often as false, in each half', (_, items) => {
    for (const half of HALVES) expectEven(of(half, items).map(({ right }) => right));
  });

  test.each(families('choice'))('%s is right in each place equally often', (_, items) => {
    for (const half of HALVES) {
      const places = of(half, items).map(({ right }) => right);
      expectEven(places);
      expect(counts(places)).toHaveLength(items[0]?.options.length ?? 0);
    }
  });

  test.each(families('score'))('%s has each level equally often', (_, items) => {
    for (const half of HALVES) {
      const levels = of(half, items).map(({ right }) => right);
      expectEven(levels);
      expect(counts(levels)).toHaveLength(items[0]?.options.length ?? 0);
    }
  });

  test('choices with the same options have each of them right equally often', () => {
    for (const [, items] of families('choice')) {
      const lists = new Set(
        items.map(({ options }) =>
          options
            .map(({ name }) => name)
            .sort()
            .join(),
        ),
      );
      if (lists.size === 1) expectEven(items.map((item) => item.options[item.right]?.name ?? ''));
    }
  });

  test('questions have 2 to 6 choices and 3 to 5 levels, all different', () => {
    for (const { type, options } of ITEMS) {
      const [least, most] = { predicate: [0, 0], choice: [2, 6], score: [3, 5] }[type] ?? [];
      expect(options.length).toBeGreaterThanOrEqual(least ?? 0);
      expect(options.length).toBeLessThanOrEqual(most ?? 0);
      expect(new Set(options.map(({ name }) => name)).size).toBe(options.length);
    }
  });

  test('a text has one label in a family, whatever else is drawn', () => {
    for (const type of ['choice', 'score'] as const) {
      for (const [, items] of families(type)) {
        const labels = new Map<string, string>();
        for (const { input, options, right, instructions } of items) {
          const label = options[right]?.name ?? '';
          expect(labels.get(input + instructions) ?? label).toBe(label);
          labels.set(input + instructions, label);
        }
      }
    }
  });

  test('no word is left to be replaced', () => {
    for (const { input } of ITEMS) expect(input).not.toMatch(/THING|COLOUR|CITY|NAME|NUMBER/);
  });
});

function of(half: Item['half'], items: readonly Item[]): Item[] {
  return items.filter((item) => item.half === half);
}
