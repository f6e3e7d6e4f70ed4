import { describe, expect, test } from 'vitest';
import { ARRAY_CASES } from './cases/array-cases.ts';
import { CLIENT_CASES } from './cases/client-cases.ts';
import { COMBINED_CASES } from './cases/combined-cases.ts';
import { expectEnforced } from './support/enforce.ts';
import { NEGATION_CASES } from './cases/negation-cases.ts';
import { NUMBER_CASES } from './cases/number-cases.ts';
import { OBJECT_CASES } from './cases/object-cases.ts';
import { OPEN_CASES } from './cases/open-cases.ts';
import { REFERENCE_CASES } from './cases/reference-cases.ts';
import { STRING_CASES } from './cases/string-cases.ts';

const SUITES = {
  numbers: NUMBER_CASES,
  strings: STRING_CASES,
  objects: OBJECT_CASES,
  arrays: ARRAY_CASES,
  'objects with members that no keyword names': OPEN_CASES,
  'alternatives and conjunctions': COMBINED_CASES,
  'schemas that must not hold, conditions and dependencies': NEGATION_CASES,
  'references and annotations': REFERENCE_CASES,
  'schemas that clients make': CLIENT_CASES,
};

describe.each(Object.entries(SUITES))('%s', (_name, cases) => {
  const titled = cases.map((item) => [JSON.stringify(item.schema).slice(0, 160), item] as const);

  test.each(titled)('%s', (_title, item) => expectEnforced(item));
});

test('there are at least 300 cases', () => {
  expect(Object.values(SUITES).flat().length).toBeGreaterThanOrEqual(300);
});
