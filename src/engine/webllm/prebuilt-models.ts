import { ModelType, modelLibURLPrefix, prebuiltAppConfig } from '@mlc-ai/web-llm';
import type { CatalogEntry } from '../../core/stores/catalog-entry.ts';

/** WebLLM's own list of models on the hub, as catalog entries. */
export function prebuiltModels(): CatalogEntry[] {
  const entries = prebuiltAppConfig.model_list
    .filter(({ model_type: type = ModelType.LLM }) => type === ModelType.LLM)
    .map(({ model, model_id: id, model_lib, ...record }): CatalogEntry => {
      const modelLibrary = model_lib.replace(modelLibURLPrefix, '');
      const repository = new URL(model).pathname.slice(1);
      const quantization = /-(q\d+(?:bf16|f16|f32)(?:_\d)?)-/.exec(id)?.[1] ?? 'unknown';
      // Models that compute in f16 need it, although not every record says so.
      const needsF16 =
        /^q\d+f16/.test(quantization) ||
        (record.required_features?.includes('shader-f16') ?? false);
      const overrides = { ...record.overrides };
      return {
        id: repository,
        source: { kind: 'hub', repository, modelLibrary, needsF16 },
        ownedBy: repository.split('/')[0] ?? '',
        created: 0,
        quantization,
        contextLength: record.overrides?.context_window_size ?? 4096,
        overrides,
        ...(record.buffer_size_required_bytes && {
          bufferBytes: record.buffer_size_required_bytes,
        }),
        ...(record.vram_required_MB && { gpuBytes: Math.round(record.vram_required_MB * 1e6) }),
      };
    })
    .sort((a, b) => a.contextLength - b.contextLength);
  // WebLLM lists some repositories twice, once with a small context. The larger one wins.
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}
