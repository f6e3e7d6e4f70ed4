import type { CatalogEntry } from '../../core/catalog-entry.ts';
import type { SpeechDevice } from '../../core/messages.ts';

/** What is asked of a browser. */
export interface Gpu {
  requestAdapter(): Promise<{ info: { isFallbackAdapter?: boolean } } | null>;
}

/**
 * What a speech model runs on. The GPU takes those with 32-bit weights: ONNX Runtime's WebGPU has no
 * kernel for what 8-bit graphs compute (node_modules/onnxruntime-web/docs/webgpu-operators.md).
 *
 * @param wanted - `webgpu` takes an adapter that computes on the CPU, too
 */
export async function speechDevice(
  { quantization }: Pick<CatalogEntry, 'quantization'>,
  wanted: SpeechDevice | undefined,
  gpu: Gpu | undefined,
): Promise<SpeechDevice> {
  if (wanted === 'wasm' || quantization !== 'fp32' || !hasPromiseIntegration()) return 'wasm';
  const adapter = await gpu?.requestAdapter().catch(() => null);
  if (!adapter) return 'wasm';
  return wanted ?? (adapter.info.isFallbackAdapter === false ? 'webgpu' : 'wasm');
}

/** The smaller of the builds with WebGPU waits for it by WebAssembly's own means, which not all browsers have. */
function hasPromiseIntegration(): boolean {
  return 'Suspending' in WebAssembly;
}
