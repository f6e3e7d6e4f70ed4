import { ModelType, modelLibURLPrefix, prebuiltAppConfig, type ModelRecord } from '@mlc-ai/web-llm';
import { VISION, type CatalogEntry } from '../../../core/catalog/catalog-entry.ts';
import { variantId, type Needs } from '../../../core/catalog/variant.ts';
import { ownerOf } from '../../download/hub/hub.ts';
import { LIBRARY_PATH } from './mlc-installation.ts';

/** The chat models of WebLLM's own list of models on the hub, as catalog entries. */
export function prebuiltModels(): CatalogEntry[] {
  const models = prebuiltAppConfig.model_list
    .filter(({ model_type: type }) => type !== ModelType.embedding)
    .map(textModel)
    .sort((a, b) => a.contextLength - b.contextLength);
  // The list has some repositories twice. The larger context is kept.
  const byId = new Map(models.map((entry) => [entry.id, entry]));
  return Array.from(byId.values(), (entry) => withF32(entry, byId));
}

/** Adds the f32 variant of a model to the entry that computes in f16, for GPUs without `shader-f16`. */
function withF32(entry: CatalogEntry, models: ReadonlyMap<string, CatalogEntry>): CatalogEntry {
  const sibling = models.get(entry.id.replace(/(-q\d+)f16(?=_\d-|-)/, '$1f32'));
  if (!sibling || sibling === entry) return entry;
  return { ...entry, variants: [...entry.variants, ...sibling.variants] };
}

function textModel(record: ModelRecord): CatalogEntry {
  const contextLength = record.overrides?.context_window_size ?? 4096;
  const features = record.model_type === ModelType.VLM ? { features: [VISION] } : {};
  return { ...factsOf(record), task: 'chat', contextLength, ...features };
}

function factsOf(record: ModelRecord) {
  const repository = new URL(record.model).pathname.slice(1);
  const library = record.model_lib.replace(modelLibURLPrefix, '');
  const quantization = quantizationOf(record.model_id);
  const variant = {
    id: variantId('webllm', quantization),
    engine: 'webllm' as const,
    quantization,
    source: { kind: 'hub' as const, repository, library },
    modelLibrary: LIBRARY_PATH,
    overrides: { ...record.overrides },
    needs: needsOf(record, quantization),
  };
  return { id: repository, ownedBy: ownerOf(repository), created: 0, variants: [variant] };
}

function quantizationOf(id: string): string {
  return /-(q\d+(?:bf16|f16|f32)(?:_\d)?)-/.exec(id)?.[1] ?? 'unknown';
}

function needsOf(record: ModelRecord, quantization: string): Needs {
  // Not every record of a model that computes in f16 says so.
  const shaderF16 =
    computesInF16(quantization) || (record.required_features?.includes('shader-f16') ?? false);
  const { buffer_size_required_bytes: bufferBytes, vram_required_MB: megabytes } = record;
  return {
    ...(shaderF16 && { shaderF16 }),
    ...(bufferBytes && { bufferBytes }),
    ...(megabytes && { memoryBytes: Math.round(megabytes * 1e6) }),
  };
}

/** MLC names the type that a model computes in after the bits of its weights: `q4f16_1`. */
function computesInF16(quantization: string): boolean {
  return /^q\d+f16/.test(quantization);
}
