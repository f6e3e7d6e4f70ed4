import { expect, test } from 'vitest';
import { obstacles } from '../../../../src/core/stores/device-fit.ts';
import { hubVariant, packEntry, variantOf } from '../../support/entries.ts';

const HALF = hubVariant('m', { needs: { shaderF16: true, bufferBytes: 262_144_000 } });

test('a model fits if the GPU and the storage have what it needs', () => {
  const device = { hasF16: true, bufferBytes: 262_144_000, freeBytes: 5e9 };
  expect(obstacles(HALF, 5e9, device)).toEqual([]);
});

test('every obstacle is named', () => {
  const device = { hasF16: false, bufferBytes: 134_217_728, freeBytes: 1e9 };
  expect(obstacles(HALF, 5e9, device)).toEqual(['shader-f16', 'buffer-size', 'storage']);
});

test('a pack that computes in f16 needs shader-f16, too', () => {
  expect(obstacles(variantOf(packEntry('p')), 0, { hasF16: false })).toEqual(['shader-f16']);
  const full = packEntry('p', 'r1', { quantization: 'q4f32_1' });
  expect(obstacles(variantOf(full), 0, { hasF16: false })).toEqual([]);
});

test('what is unknown is not an obstacle', () => {
  expect(obstacles(HALF, 5e9, {})).toEqual([]);
  expect(obstacles(HALF, undefined, { freeBytes: 0 })).toEqual([]);
});
