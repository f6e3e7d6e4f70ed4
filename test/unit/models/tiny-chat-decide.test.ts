import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { manifestSchema } from '../../../src/core/catalog/pack-manifest.ts';
import { variantFiles } from '../../../src/node/pack/writing/manifest.ts';
import report from '../../../models/tiny-chat/tongues/decide/report.json' with { type: 'json' };
import { DECIDING_PACK } from '../support/models/deciding-model.ts';

const figures = report['tiny-chat-decide'];
const TYPES = { predicate: 'predicate', choice: 'choiceByWords', score: 'score' } as const;

describe('tiny-chat, taught to decide', () => {
  test.each(Object.entries(TYPES))(
    '%s: 95 of 100 held-out ones are right, calibrated',
    (_, type) => {
      const { questions, rightByBothOrders, after } = figures[type];
      expect(questions).toBeGreaterThanOrEqual(200);
      expect(rightByBothOrders).toBeGreaterThanOrEqual(0.95);
      expect(after.right).toBeGreaterThanOrEqual(0.95);
      expect(after.ece).toBeLessThanOrEqual(0.05);
    },
  );

  test('the page about decisions shows the figures', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/decide.md'), 'utf8');
    const lines = page.split('\n').map((line) => line.replaceAll(/ +/g, ' '));
    for (const [type, measured] of Object.entries(TYPES)) {
      const { questions, chance, rightByBothOrders: right, before, after } = figures[measured];
      const shares = [chance, right].map((share) => `${(share * 100).toFixed(1)} %`);
      const errors = [before, after].map(({ ece }) => ece.toFixed(3));
      expect(lines).toContain(
        `| ${[`${type}s`, questions, ...shares, errors.join(' → ')].join(' | ')} |`,
      );
    }
  });

  test('the pack has the calibration that was fitted, and less than 4 MB without the kernels', () => {
    const json: unknown = JSON.parse(readFileSync(join(DECIDING_PACK, 'manifest.json'), 'utf8'));
    const manifest = v.parse(manifestSchema, json);
    const { variants } = manifest;
    for (const [type, measured] of Object.entries(TYPES)) {
      expect(manifest).toHaveProperty(['calibration', type], figures[measured].calibration);
    }
    expect(variants.map(({ engine }) => engine)).toEqual(['webllm', 'llamacpp']);
    let size = 0;
    for (const { files, revision } of variants) {
      const paths = files.map(({ path }) => path);
      expect(variantFiles(DECIDING_PACK, paths)).toEqual({ revision, files });
      for (const file of files) size += file.path === 'model.wasm' ? 0 : file.size;
    }
    expect(size).toBeLessThan(4e6);
  });
});
