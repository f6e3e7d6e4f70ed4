import { beforeAll, describe, expect, test } from 'vitest';
import { EXPECTED } from './support/expected.ts';
import { judge, type Verdict } from './support/judge.ts';
import { reasonFor } from './support/reasons.ts';
import { readSuite, type SuiteGroup } from './support/suite.ts';

interface Judged extends Verdict {
  group: SuiteGroup;
}

const nameOf = ({ group: { file, description } }: Judged) => `${file}: ${description}`;

/** How many schemas each text is said of. */
function counts(texts: Iterable<string>): Record<string, number> {
  const found: Record<string, number> = {};
  for (const text of texts) found[text] = (found[text] ?? 0) + 1;
  return found;
}

describe.each(Object.entries(EXPECTED))('the suite of %s', (draft, expected) => {
  const all: Judged[] = [];

  beforeAll(async () => {
    for (const group of readSuite(draft)) all.push({ group, ...(await judge(group)) });
  }, 600_000);

  test('is whole', () => expect(all).toHaveLength(expected.schemas));

  test('has no invalid value that a grammar accepts, but for annotations', () => {
    const accepting = all.filter(({ accepted }) => accepted.length > 0);
    expect(accepting.map(nameOf)).toEqual(expected.annotations);
  });

  test('has valid values that a grammar refuses, for these reasons', () => {
    expect(counts(all.flatMap(({ narrower }) => [...new Set(narrower)]))).toEqual(
      expected.narrower,
    );
  });

  test('has schemas that are refused, for these reasons', () => {
    expect(counts(all.flatMap(({ refused }) => refused ?? []))).toEqual(expected.refused);
  });

  test('has no valid value under a schema that is called unsatisfiable', () => {
    const empty = all.filter(({ refused }) => refused?.startsWith('is unsatisfiable') === true);
    const valid = empty.flatMap(({ group }) =>
      group.tests.flatMap((each) => (each.valid ? { group, value: each.data } : [])),
    );
    expect(valid.filter(({ group, value }) => reasonFor(group, value) === undefined)).toEqual([]);
  });
});
