import type { CatalogEntry } from './catalog-entry.ts';
import type { PackManifest } from './pack-manifest.ts';
import { totalBytes, variantId, type PackSource, type Variant } from './variant.ts';

/** The catalog entry of a pack. The only place that maps a manifest's fields to task and variant. */
export function packEntry(source: PackSource): CatalogEntry {
  const { id, ownedBy, created, license, contextLength, features, speech } = source.manifest;
  const facts = { id, ownedBy, created, license, contextLength, features };
  const variants = [packVariant(source)];
  return speech
    ? { ...facts, task: 'speech', speech, variants }
    : { ...facts, task: 'chat', variants };
}

export function packVariant(source: PackSource): Variant {
  const { speech, quantization, modelLibrary, files } = source.manifest;
  const engine = speech ? 'onnx' : 'webllm';
  const id = variantId(engine, quantization);
  const shared = { id, source, quantization, bytes: totalBytes(files) };
  return speech
    ? { ...shared, engine: 'onnx', needs: {}, graph: modelLibrary }
    : { ...shared, engine: 'webllm', needs: webLlmNeeds(source.manifest), modelLibrary };
}

function webLlmNeeds({ quantization, gpuBytes }: PackManifest) {
  return {
    ...(computesInF16(quantization) && { shaderF16: true }),
    ...(gpuBytes > 0 && { memoryBytes: gpuBytes }),
  };
}

/** MLC names the type that a model computes in after the bits of its weights: `q4f16_1`. */
export function computesInF16(quantization: string): boolean {
  return /^q\d+f16/.test(quantization);
}
