import { ModelType, modelLibURLPrefix, prebuiltAppConfig, type ModelRecord } from '@mlc-ai/web-llm';
import type { CatalogEntry } from '../../core/stores/catalog-entry.ts';
import { computesInF16 } from '../../core/stores/pack-manifest.ts';
import { variantId, type Needs } from '../../core/stores/variant.ts';
import { ownerOf } from '../weights/hub.ts';
import { LIBRARY_PATH } from './mlc-installation.ts';

/** WebLLM's own list of models on the hub, as catalog entries. */
export function prebuiltModels(): CatalogEntry[] {
  const entries = prebuiltAppConfig.model_list
    .filter(({ model_type: type = ModelType.LLM }) => type === ModelType.LLM)
    .map(entryOf)
    .sort((a, b) => a.contextLength - b.contextLength);
  // The list has some repositories twice, once with a small context: the larger one counts.
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}

function entryOf(record: ModelRecord): CatalogEntry {
  const repository = new URL(record.model).pathname.slice(1);
  const library = record.model_lib.replace(modelLibURLPrefix, '');
  const quantization = quantizationOf(record.model_id);
  return {
    ...{ id: repository, task: 'chat', ownedBy: ownerOf(repository), created: 0 },
    contextLength: record.overrides?.context_window_size ?? 4096,
    variants: [
      {
        ...{ id: variantId('webllm', quantization), engine: 'webllm', quantization },
        source: { kind: 'hub', repository, library },
        modelLibrary: LIBRARY_PATH,
        overrides: { ...record.overrides },
        needs: needsOf(record, quantization),
      },
    ],
  };
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
