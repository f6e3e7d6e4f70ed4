import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { unfitness, type Device } from './device-fit.ts';
import type { Variant } from '../catalog/variant.ts';

/**
 * The variant of a model that a device uses. If the device can run none, the closest one, so that its
 * obstacles can be shown.
 *
 * @param device - `{}` if it is not known: unknown facts are not obstacles
 */
export function chooseVariant(entry: CatalogEntry, device: Device): Variant {
  const [chosen] = rankVariants(entry, device);
  if (!chosen) throw new Error(`The catalog has no variant of '${entry.id}'.`);
  return chosen;
}

/**
 * The variants of a model, the one that a device uses first: those that it can run before those that it
 * cannot; among these, installed ones before others, so that nothing is downloaded by surprise; then
 * the faster ones if the speed of all was measured here; then those whose engine is usually faster here, and the
 * best ones.
 */
export function rankVariants(entry: CatalogEntry, device: Device): Variant[] {
  const speeds = entry.variants.map(({ measured }) => measured?.writtenTokensPerSecond);
  const areMeasured = !speeds.includes(undefined);
  const merits = new Map(
    entry.variants.map((variant, index) => [
      variant,
      [
        unfitness(entry, variant, device),
        variant.installed ? 0 : 1,
        areMeasured ? -(speeds[index] ?? 0) : 0,
        slowness(variant, device),
      ],
    ]),
  );
  const compare = (a: Variant, b: Variant) => {
    const others = merits.get(b) ?? [];
    const differences = merits.get(a)?.map((merit, index) => merit - (others[index] ?? 0)) ?? [];
    return differences.find((difference) => difference !== 0) ?? 0;
  };
  return entry.variants.toSorted(compare);
}

/**
 * Software WebGPU, which the CPU computes, is a quarter as fast as llama.cpp, which is made for CPUs. ONNX graphs
 * with floating-point numbers are faster on a GPU. 8-bit graphs run on the CPU only, and are faster there.
 */
function slowness(
  { engine, quantization }: Variant,
  { gpu = 'hardware', onnxOnGpu = false }: Device,
): number {
  if (engine === 'onnx') return quantization.startsWith('fp') === onnxOnGpu ? 0 : 1;
  const slower = gpu === 'hardware' ? 'llamacpp' : 'webllm';
  return engine === slower ? 1 : 0;
}
