import { expect, test } from 'vitest';
import type { CatalogEntry } from '../../../../src/core/stores/catalog-entry.ts';
import { chooseVariant } from '../../../../src/core/stores/choose-variant.ts';
import type { Variant } from '../../../../src/core/stores/variant.ts';
import { hubEntry, hubVariant, installation } from '../../support/entries.ts';

const half = hubVariant('m', { id: 'half', needs: { shaderF16: true } });
const full = hubVariant('m', { id: 'full', needs: { bufferBytes: 100 } });
const small = hubVariant('m', { id: 'small' });
const installed = { installed: installation('c1') };

const model = (...variants: Variant[]): CatalogEntry => ({ ...hubEntry('m'), variants });

test('a device takes the first variant that it can run', () => {
  const entry = model(half, full, small);
  expect(chooseVariant(entry, { hasF16: true }).id).toBe('half');
  expect(chooseVariant(entry, { hasF16: false }).id).toBe('full');
  expect(chooseVariant(entry, { hasF16: false, bufferBytes: 99 }).id).toBe('small');
});

test('an unknown device takes the first variant', () => {
  expect(chooseVariant(model(half, small), {}).id).toBe('half');
});

test('an installed variant wins over a better one that is not installed', () => {
  const entry = model(half, { ...full, ...installed });
  expect(chooseVariant(entry, { hasF16: true }).id).toBe('full');
  expect(chooseVariant(entry, {}).id).toBe('full');
});

test('an installed variant that the device cannot run is not taken', () => {
  const entry = model({ ...half, ...installed }, small);
  expect(chooseVariant(entry, { hasF16: false }).id).toBe('small');
});

test('if the device can run none, its obstacles are those of the installed or the best one', () => {
  const device = { hasF16: false, bufferBytes: 1 };
  expect(chooseVariant(model(half, full), device).id).toBe('half');
  expect(chooseVariant(model(half, { ...full, ...installed }), device).id).toBe('full');
});
