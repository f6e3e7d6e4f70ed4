import type {
  ComputeDevice,
  DeviceReport,
  GpuKind,
  TextEngineName,
} from '../../core/realms/device-report.ts';
import type { KvCacheType } from '../../core/realms/kv-cache-type.ts';
import { gpuDevice, type Device, type GpuFacts } from '../../core/fit/device-fit.ts';
import { defaultMemoryBudget } from '../scheduling/memory-budget.ts';
import { llamacppThreads, onnxThreads, type ThreadScope } from '../scheduling/threads.ts';
import { deviceReport } from './device-report.ts';
import { gpuName, isEmulated, type AdapterInfo } from '../../core/fit/adapter-info.ts';
import { findAdapter, graphsRunOn, type AdapterSource } from './gpu-adapter.ts';

/** A GPUAdapter, as far as it is read. Older browsers have no `info`. */
export type Adapter = GpuFacts & { info?: AdapterInfo };

/** Facts about the device that are known without asking its GPU. */
export interface Surroundings {
  gpu: AdapterSource<Adapter> | undefined;
  /** Main memory, rounded down, GiB; undefined: the browser does not tell. */
  deviceMemory: number | undefined;
  isPhone: boolean;
  /** `memoryBudget`, `contextLength`, `kvCacheType`, `standby` and `engines` of EngineConfig. */
  memoryBudget: number | undefined;
  contextLength: number | undefined;
  kvCacheType: KvCacheType | undefined;
  standby: boolean;
  engines: readonly TextEngineName[] | undefined;
  /** The worker's global scope, which says whether the worker can use threads. */
  scope: ThreadScope;
  /** `threads` and `speechThreads` of EngineConfig. */
  threads: number | undefined;
  speechThreads: number | undefined;
  /** `llamacppDevice` and `speechDevice` of EngineConfig. */
  llamacppDevice: ComputeDevice | undefined;
  speechDevice: ComputeDevice | undefined;
}

/** The device, described for the choice of variants and for pages. */
export interface FoundDevice {
  device: Device & { gpu: GpuKind; memoryBudget: number };
  report: DeviceReport;
}

/** Reads the device, once for each engine worker: the GPU's adapter takes tens of milliseconds. */
export async function readDevice(surroundings: Surroundings): Promise<FoundDevice> {
  const { contextLength, kvCacheType, engines, llamacppDevice, scope } = surroundings;
  const adapter = await findAdapter(surroundings.gpu);
  const info = adapter?.info ?? {};
  const host: DeviceReport['host'] = 'onconnect' in scope ? 'shared-worker' : 'page';
  const device = {
    ...(adapter && gpuDevice(adapter)),
    gpu: kindOf(adapter, info),
    onnxOnGpu: graphsRunOn(adapter, surroundings.speechDevice) === 'webgpu',
    memoryBudget: budget(surroundings, host, adapter?.limits.maxBufferSize),
    ...(contextLength !== undefined && { contextLength }),
    ...(kvCacheType && { kvCacheType }),
    ...(engines && { engines }),
    ...(llamacppDevice && { llamacppDevice }),
    ...(host === 'shared-worker' && { outlives: true }),
  };
  const threads = {
    llamacpp: llamacppThreads(surroundings.threads, scope),
    onnx: onnxThreads(surroundings.speechThreads, scope),
  };
  const facts = { host, gpuName: gpuName(info), isolated: scope.crossOriginIsolated, threads };
  return { device, report: deviceReport(device, facts) };
}

function kindOf(adapter: Adapter | undefined, info: AdapterInfo): GpuKind {
  if (!adapter) return 'none';
  return isEmulated(info) ? 'software' : 'hardware';
}

function budget(
  surroundings: Surroundings,
  host: DeviceReport['host'],
  maxBufferSize: number | undefined,
): number {
  const whole =
    surroundings.memoryBudget ?? defaultMemoryBudget({ ...surroundings, maxBufferSize });
  // No tab is on standby for an engine that outlives its pages.
  return surroundings.standby && host === 'page' ? whole / 2 : whole;
}

/** Main memory as the browser tells it, GiB. Only Chromium does, and TypeScript's libraries lack it. */
export function readDeviceMemory(): number | undefined {
  const deviceMemory: unknown = Reflect.get(navigator, 'deviceMemory');
  return typeof deviceMemory === 'number' ? deviceMemory : undefined;
}
