import { isEmulated, type AdapterInfo } from '../../core/fit/adapter-info.ts';
import type { ComputeDevice } from '../../core/realms/device-report.ts';
import { orAborted } from '../../core/async/or-aborted.ts';

/**
 * How long to wait for an adapter, milliseconds. A GPU process that hangs never returns one. A GPU process that still
 * computes for an ended worker returns it late.
 */
const ADAPTER_MS = 30_000;

/** The part of `navigator.gpu` that gives adapters. */
export interface AdapterSource<A> {
  requestAdapter(): Promise<A | null>;
}

/** The adapter of this realm's GPU; undefined: there is no GPU, or it does not answer in time. */
export async function findAdapter<A>(gpu: AdapterSource<A> | undefined): Promise<A | undefined> {
  if (!gpu) return undefined;
  const inTime = AbortSignal.timeout(ADAPTER_MS);
  const adapter = await orAborted(gpu.requestAdapter(), inTime).catch(() => null);
  return adapter ?? undefined;
}

/**
 * The device that runs ONNX graphs which can run on a GPU.
 *
 * @param adapter - the GPU's; older browsers have no `info`
 * @param wanted - with `webgpu`, an adapter that computes on the CPU is used too
 */
export function graphsRunOn(
  adapter: { info?: AdapterInfo } | undefined,
  wanted: ComputeDevice | undefined,
): ComputeDevice {
  if (!adapter || !hasPromiseIntegration()) return 'wasm';
  return wanted ?? (isEmulated(adapter.info ?? {}) === false ? 'webgpu' : 'wasm');
}

/** The build with WebGPU needs WebAssembly's promise integration, which not all browsers have. */
function hasPromiseIntegration(): boolean {
  return 'Suspending' in WebAssembly;
}

/**
 * Whether the browser tells only at long intervals that the GPU is done, unless it is given work: Firefox 153 looks every
 * 100 ms.
 */
export function isSlowToTell({ userAgent }: { userAgent: string }): boolean {
  return userAgent.includes('Firefox/');
}
