import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const MEGABYTE = 1e6;

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

function report<S extends v.GenericSchema>(model: string, schema: S): v.InferOutput<S> {
  return v.parse(schema, JSON.parse(read(`models/${model}/report.json`)));
}

/** The rows of all tables of a model's README, by their first cell. */
function rowsOf(model: string): Map<string, string[]> {
  const rows = read(`models/${model}/README.md`).matchAll(/^\| (.+?) +\|(.+)\|$/gm);
  return new Map(
    Array.from(rows, ([, label = '', cells = '']) => [
      label,
      cells.split('|').map((cell) => cell.trim()),
    ]),
  );
}

/** As READMEs write it. */
const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;

test('no file of a fixture has more than 4 MB', () => {
  const files = globSync(['test/fixtures/**/*', 'models/packs/**/*'], { cwd: ROOT });
  const sizes = files.map((file) => [file, statSync(join(ROOT, file)).size] as const);
  expect(sizes.length).toBeGreaterThan(60);
  expect(sizes.filter(([, size]) => size > 4 * MEGABYTE)).toEqual([]);
});

const Manifest = v.object({
  variants: v.array(
    v.object({
      files: v.array(v.object({ path: v.string(), size: v.number(), sha256: v.string() })),
    }),
  ),
});

test.each(['tiny-hear', 'tiny-embed', 'tiny-embed-gguf', 'tiny-rerank', 'tiny-see'])(
  'the pack of %s has at most 4 MB, and the files that its manifest names',
  (pack) => {
    const folder = `models/packs/${pack}`;
    const { variants } = v.parse(Manifest, JSON.parse(read(`${folder}/manifest.json`)));
    const files = variants.flatMap((variant) => variant.files);
    for (const { path, size, sha256 } of files) {
      const bytes = readFileSync(join(ROOT, folder, path));
      expect(bytes.length, path).toBe(size);
      expect(createHash('sha256').update(bytes).digest('hex'), path).toBe(sha256);
    }
    expect(files.length).toBeGreaterThan(0);
    expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(4 * MEGABYTE);
  },
);

describe('tiny-hear', () => {
  const Rate = v.object({ words: v.number(), errors: v.number(), percent: v.number() });
  const Times = v.object({ times: v.number(), mean: v.number() });
  const { wordErrorRates: rates, meanSecondsFromTheTrueTime: times } = report(
    'tiny-hear',
    v.object({
      wordErrorRates: v.record(v.string(), Rate),
      meanSecondsFromTheTrueTime: v.object({ segments: Times, words: Times }),
    }),
  );
  const rate = (name: string) => {
    const found = rates[name];
    if (!found) throw new Error(`The report lacks '${name}'.`);
    return found;
  };
  const HELD_OUT = ['voices', 'orders', 'both'];
  /** The product asks for times in each window. */
  const WITH_TIMES = ['with segment times', 'with word times'];

  test('with times, at most 5 % of the held-out words are wrong', () => {
    for (const mode of WITH_TIMES) {
      expect(rate(mode).words).toBeGreaterThanOrEqual(1_000);
      for (const name of [mode, ...HELD_OUT.map((each) => `${mode}: ${each}`)]) {
        expect(rate(name).percent, name).toBeLessThanOrEqual(5);
      }
    }
  });

  test('the figures of the groups are those of the whole', () => {
    for (const mode of ['plain', ...WITH_TIMES]) {
      const groups = HELD_OUT.flatMap((each) =>
        ['kokoro', 'espeak'].map((speaker) => rate(`${mode}: ${each}, ${speaker}`)),
      );
      const sum = (key: 'words' | 'errors') => groups.reduce((all, group) => all + group[key], 0);
      expect({ words: sum('words'), errors: sum('errors') }).toMatchObject({
        words: rate(mode).words,
        errors: rate(mode).errors,
      });
    }
    for (const [name, { words, errors, percent: told }] of Object.entries(rates)) {
      expect(Math.abs((100 * errors) / words - told), name).toBeLessThan(0.01);
    }
  });

  test('the README tells the figure of each group, also of those above 5 %', () => {
    const above = Object.entries(rates).filter(([, each]) => each.percent > 5);
    expect(above.map(([name]) => name).filter((name) => !name.startsWith('plain'))).toEqual(
      WITH_TIMES.map((mode) => `${mode}: orders, kokoro`).concat(
        WITH_TIMES.map((mode) => `${mode}: both, kokoro`),
      ),
    );
    const rows = rowsOf('tiny-hear');
    for (const [label, group] of [
      ['held-out voices', 'voices'],
      ['held-out orders', 'orders'],
      ['held-out voices and orders', 'both'],
    ] as const) {
      const told = [`${group}, kokoro`, `${group}, espeak`, group].map((name) => {
        const { words, errors } = rate(`with segment times: ${name}`);
        return percent(errors, words);
      });
      expect(rows.get(label)).toEqual(told);
    }
    const text = read('models/tiny-hear/README.md').replaceAll(/\s+/g, ' ');
    const overall = ['with segment times', 'with word times', 'plain'].map((name) =>
      percent(rate(name).errors, rate(name).words),
    );
    expect(text).toContain(
      `it is ${overall[0]} with segment times, ${overall[1]} with word times, and ${overall[2]} without any`,
    );
  });

  test('times are right to a tenth of a second', () => {
    for (const { times: count, mean } of Object.values(times)) {
      expect(count).toBeGreaterThanOrEqual(100);
      expect(mean).toBeLessThanOrEqual(0.1);
    }
  });
});

describe('tiny-embed', () => {
  const Share = v.object({ first: v.number(), of: v.number() });
  const { candidates, dimensions } = report(
    'tiny-embed',
    v.object({
      candidates: v.number(),
      dimensions: v.record(v.string(), v.record(v.string(), Share)),
    }),
  );

  test('at least 95 % of held-out paraphrases are found among 1,000 texts, at every size', () => {
    expect(candidates).toBe(1_000);
    expect(Object.keys(dimensions)).toEqual(['32', '64', '128']);
    for (const [size, shares] of Object.entries(dimensions)) {
      const { first = 0, of = 1 } = shares['paraphrases'] ?? {};
      expect(of).toBeGreaterThanOrEqual(1_000);
      expect(first / of, size).toBeGreaterThanOrEqual(0.95);
    }
  });

  test('the README tells every figure', () => {
    const rows = rowsOf('tiny-embed');
    const names = Object.keys(dimensions['128'] ?? {});
    expect(names).toHaveLength(4);
    for (const name of names) {
      const told = ['128', '64', '32'].map((size) => {
        const { first = 0, of = 1 } = dimensions[size]?.[name] ?? {};
        return percent(first, of);
      });
      expect(rows.get(name), name).toEqual(told);
    }
  });
});

describe('tiny-rerank', () => {
  const Share = v.object({ hits: v.number(), of: v.number() });
  const Shares = v.record(v.string(), Share);
  const figures = report(
    'tiny-rerank',
    v.object({
      'one word differs': Shares,
      'the two persons, cities or teams are swapped': Shares,
    }),
  );
  const columns = [
    figures['one word differs'],
    figures['the two persons, cities or teams are swapped'],
  ];

  test('the right document is first in at least 95 % of held-out questions', () => {
    const { hits = 0, of = 1 } = columns[0]?.['the right document is first'] ?? {};
    expect(of).toBeGreaterThanOrEqual(500);
    expect(hits / of).toBeGreaterThanOrEqual(0.95);
  });

  test('the README tells every figure, also what the model does not know', () => {
    const rows = rowsOf('tiny-rerank');
    for (const name of Object.keys(columns[0] ?? {})) {
      const told = columns.map((column) => {
        const { hits = 0, of = 1 } = column[name] ?? {};
        return percent(hits, of);
      });
      expect(rows.get(name), name).toEqual(told);
    }
    expect(read('models/tiny-rerank/README.md')).toContain('does not know who does what to whom');
  });
});
