import { expect, test } from 'vitest';
import { figure, isReached, nested, table } from '../../../bench/figures.ts';
import { worstOfModels } from '../../../bench/sections.ts';

test('dots are nesting', () => {
  const figures = [
    figure('chat.tiny.decode_ratio', 0.98),
    figure('chat.tiny.ttft_added_ms', 4),
    figure('reload.ratio', 0.5),
    figure('reload.tiny.ratio', 0.5),
  ];
  expect(nested(figures)).toEqual({
    chat: { tiny: { decode_ratio: 0.98, ttft_added_ms: 4 } },
    reload: { ratio: 0.5, tiny: { ratio: 0.5 } },
  });
});

test.each([
  ['chat.tiny.decode_ratio', 0.97, true],
  ['chat.tiny.decode_ratio', 0.969, false],
  ['reload.ratio', 1, true],
  ['reload.ratio', 1.01, false],
  ['chat.tiny.v1_ttft_ms', 1e9, true],
])('%s of %d reaches its goal: %s', (key, value, reached) => {
  expect(isReached(figure(key, value))).toBe(reached);
});

test('a missed goal is easy to see', () => {
  const text = table([figure('reload.ratio', 1.234567), figure('size.sw_gzip_kb', 20)]);
  expect(text).toMatch(/reload\.ratio +1\.235 +≤ 1 +MISSED/);
  expect(text).toMatch(/size\.sw_gzip_kb +20 +≤ 40 +ok/);
});

test('what has a goal for each model is that of the model that does worse', () => {
  const figures = [
    ...[figure('reload.tiny.ratio', 0.9), figure('reload.smollm2.ratio', 1.1)],
    ...[figure('load.tiny.ratio', 0.8), figure('load.tiny.v1_ms', 9000)],
    ...[figure('takeover.tiny.added_ms', 20), figure('takeover.smollm2.added_ms', -20)],
  ];
  expect(worstOfModels(figures)).toMatchObject([
    { key: 'reload.ratio', value: 1.1 },
    { key: 'load.ratio', value: 0.8 },
    { key: 'takeover.added_ms', value: 20 },
  ]);
  expect(worstOfModels([])).toEqual([]);
});
