import type { PackVariant } from '../../../src/core/catalog/pack-manifest.ts';

export const MLC_VARIANT = {
  engine: 'webllm',
  quantization: 'q4f32_s8',
  revision: 'mlc',
  needs: { memoryBytes: 9 },
  modelLibrary: 'model.wasm',
  files: [
    { path: 'model.wasm', size: 4 },
    { path: 'weights.bin', size: 7 },
  ],
} satisfies PackVariant;

export const GGUF_VARIANT = {
  engine: 'llamacpp',
  quantization: 'Q4_1',
  revision: 'gguf',
  needs: {},
  parts: ['model.gguf'],
  memory: { weightBytes: 16, tokenBytes: 2, bufferBytes: 1 },
  sampling: { temperature: 0, topP: 1 },
  files: [{ path: 'model.gguf', size: 20 }],
} satisfies PackVariant;

/** `manifest.json` of a pack for both text engines, as `slashv1 pack` writes it. */
export function bothEngines(id: string) {
  return {
    format: 'slashv1-pack',
    version: 1,
    id,
    task: 'chat',
    ownedBy: 'o',
    created: 1,
    license: 'mit',
    contextLength: 2048,
    features: ['reasoning'],
    variants: [MLC_VARIANT, GGUF_VARIANT],
  };
}
