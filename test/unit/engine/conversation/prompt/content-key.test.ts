import { expect, test } from 'vitest';
import { seededRandom } from '../../../../../scripts/seeded-random.ts';
import { contentKey } from '../../../../../src/engine/conversation/prompt/content-key.ts';

const random = seededRandom(1);
const noise = (length: number) => Uint8Array.from({ length }, () => 256 * random());

test('the same content has the same key, wherever it is in memory', () => {
  for (const length of [0, 1, 15, 16, 17, 1_000]) {
    const content = noise(length);
    const moved = new Uint8Array(length + 3);
    moved.set(content, 3);
    expect(contentKey(moved.subarray(3))).toBe(contentKey(content));
  }
});

test('each bit and the length make another key', () => {
  const content = noise(50);
  const keys = new Set([contentKey(content), contentKey(Uint8Array.of(...content, 0))]);
  for (let bit = 0; bit < 8 * content.length; bit++) {
    const changed = content.slice();
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    keys.add(contentKey(changed));
  }
  expect(keys.size).toBe(8 * content.length + 2);
});

test('the same change in two places is another content', () => {
  const base = new Uint8Array(64);
  const keys = new Set<string>();
  for (let first = 0; first < base.length; first++) {
    for (let second = first + 1; second < base.length; second++) {
      const changed = base.slice();
      changed[first] = changed[second] = 0x80;
      keys.add(contentKey(changed));
    }
  }
  expect(keys.size).toBe((64 * 63) / 2);
});
