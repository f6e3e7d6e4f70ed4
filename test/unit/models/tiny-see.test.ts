import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const PACK = join(ROOT, 'models/packs/tiny-see');
const FIXTURES = join(ROOT, 'test/fixtures');

const Share = v.object({ asked: v.number(), right: v.number(), percent: v.number() });
const Report = v.object({
  sha256: v.record(v.string(), v.string()),
  'one picture': Share,
  groups: v.record(v.string(), Share),
});
const Cases = v.object({
  folder: v.string(),
  cases: v.array(
    v.object({
      messages: v.array(
        v.object({ role: v.string(), pictures: v.array(v.string()), text: v.string() }),
      ),
      answer: v.string(),
      margin: v.number(),
    }),
  ),
});

const report = v.parse(
  Report,
  JSON.parse(readFileSync(join(ROOT, 'models/tiny-see/report.json'), 'utf8')),
);
const { folder, cases } = v.parse(
  Cases,
  JSON.parse(readFileSync(join(FIXTURES, 'tiny-see-cases.json'), 'utf8')),
);

function ggufFiles(): string[] {
  return readdirSync(PACK).filter((file) => file.endsWith('.gguf'));
}

test('the measured files are the committed ones', () => {
  const hashes = ggufFiles().map((file) => [
    file,
    createHash('sha256')
      .update(readFileSync(join(PACK, file)))
      .digest('hex'),
  ]);
  expect(Object.fromEntries(hashes)).toEqual(report.sha256);
});

test('the model and its projector have at most 4 MB together', () => {
  const sizes = ggufFiles().map((file) => readFileSync(join(PACK, file)).length);
  expect(sizes).toHaveLength(2);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(4e6);
});

test('it answers at least 95 % of all held-out questions about one picture rightly', () => {
  const { asked, percent } = report['one picture'];
  expect(asked).toBeGreaterThanOrEqual(2400);
  expect(percent).toBeGreaterThanOrEqual(95);
});

test.each(['drawings', 'sizes'])('it answers at least 95 %% rightly about held-out %s', (split) => {
  const shares = Object.entries(report.groups).filter(([name]) =>
    name.startsWith(`held-out ${split}:`),
  );
  expect(shares).toHaveLength(3);
  for (const [name, { percent }] of shares) expect(percent, name).toBeGreaterThanOrEqual(95);
});

test('every picture of the cases is there, as a PNG of at most 2 kB', () => {
  const names = new Set(
    cases.flatMap(({ messages }) => messages.flatMap(({ pictures }) => pictures)),
  );
  expect([...names].toSorted()).toEqual(readdirSync(join(FIXTURES, folder)).toSorted());
  for (const name of names) {
    const file = readFileSync(join(FIXTURES, folder, name));
    expect(file.subarray(1, 4).toString(), name).toBe('PNG');
    expect(file.length, name).toBeLessThanOrEqual(2000);
  }
});
