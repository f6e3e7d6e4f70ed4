import { expect, test } from 'vitest';
import { passes, type Filter } from '../../../../src/core/retrieval/filters.ts';

const FILE = { lang: 'en', year: 2026, public: true };
const eq = (key: string, value: string | number | boolean): Filter => ({ type: 'eq', key, value });

test.each<[Filter, boolean]>([
  [eq('lang', 'en'), true],
  [eq('lang', 'de'), false],
  [eq('year', '2026'), false],
  [eq('toString', 'x'), false],
  [{ type: 'ne', key: 'lang', value: 'de' }, true],
  [{ type: 'ne', key: 'missing', value: 'de' }, true],
  [{ type: 'gt', key: 'year', value: 2025 }, true],
  [{ type: 'gt', key: 'year', value: 2026 }, false],
  [{ type: 'gte', key: 'year', value: 2026 }, true],
  [{ type: 'lt', key: 'year', value: 2026 }, false],
  [{ type: 'lte', key: 'year', value: 2026 }, true],
  [{ type: 'lt', key: 'lang', value: 3 }, false],
  [{ type: 'gt', key: 'missing', value: 0 }, false],
  [{ type: 'in', key: 'lang', value: ['de', 'en'] }, true],
  [{ type: 'in', key: 'missing', value: ['de'] }, false],
  [{ type: 'nin', key: 'lang', value: ['de'] }, true],
  [{ type: 'nin', key: 'missing', value: ['de'] }, true],
  [{ type: 'and', filters: [eq('lang', 'en'), eq('public', true)] }, true],
  [{ type: 'and', filters: [eq('lang', 'en'), eq('public', false)] }, false],
  [{ type: 'or', filters: [eq('lang', 'de'), eq('public', true)] }, true],
  [{ type: 'or', filters: [] }, false],
])('%j passes: %s', (filter, wanted) => {
  expect(passes(FILE, filter)).toBe(wanted);
});
