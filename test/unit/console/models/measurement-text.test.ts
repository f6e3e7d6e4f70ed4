import { expect, test } from 'vitest';
import { describeMeasurement } from '../../../../src/console/models/card/measurement-text.ts';

const at = new Date(2026, 2, 4, 12).getTime();

test('a measurement tells what the model does, and when it was made', () => {
  const speeds = { readTokensPerSecond: 812.4, writtenTokensPerSecond: 42.06 };
  expect(describeMeasurement({ at, ...speeds })).toBe(
    'Reads 812 tokens a second · Writes 42.1 tokens a second · Measured on Mar 4, 2026',
  );
  expect(describeMeasurement({ at, soundPerSecond: 3.14 })).toBe(
    'Speaks 3.1 times as fast as real time · Measured on Mar 4, 2026',
  );
});
