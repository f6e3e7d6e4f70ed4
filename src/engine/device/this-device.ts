import type { DeviceReport } from '../../core/realms/device-report.ts';
import type { EngineConfig } from '../../core/realms/messages.ts';
import type { Database } from '../../core/database/database.ts';
import type { Device } from '../../core/fit/device-fit.ts';
import { DeviceStore } from '../../core/database/device-store.ts';
import type { InstalledModel } from '../download/installer/installed-model.ts';
import { freeBytes } from '../download/installer/storage-room.ts';
import type { AdapterSource } from './gpu-adapter.ts';
import { LoadLog } from './load-log.ts';
import { keepEngineFiles } from './offline-files.ts';
import { withGpuFailures } from './device-report.ts';
import { readDevice, readDeviceMemory, type Adapter, type FoundDevice } from './read-device.ts';

/** Delay before an engine's files are cached, milliseconds: caching them would slow down the first answer. */
const KEEP_FILES_AFTER_MS = 2_000;

interface ThisDeviceOptions {
  open: () => Promise<Database>;
  config: EngineConfig;
  /** The Web Lock of this worker. */
  lock: string;
  gpu: AdapterSource<Adapter> | undefined;
}

/** What this engine knows of the device that it runs on. */
export class ThisDevice {
  /** What went wrong with models here. */
  readonly loads: LoadLog;
  readonly #store: DeviceStore;
  readonly #found: Promise<FoundDevice>;

  constructor({ open, config, lock, gpu }: ThisDeviceOptions) {
    this.#store = new DeviceStore(open);
    const surroundings = navigator.userAgent;
    const onLoaded = ({ entry, variant }: InstalledModel) => {
      // If this fails, the engine only works with a network.
      const keep = () => keepEngineFiles(variant, entry, config.base).catch(() => undefined);
      setTimeout(keep, KEEP_FILES_AFTER_MS);
    };
    this.loads = new LoadLog({ store: this.#store, engine: lock, surroundings, onLoaded });
    this.#found = readDevice({
      gpu,
      deviceMemory: readDeviceMemory(),
      scope: globalThis,
      engines: config.engines,
      memoryBudget: config.memoryBudget,
      contextLength: config.contextLength,
      kvCacheType: config.kvCacheType,
      threads: config.threads,
      speechThreads: config.speechThreads,
      llamacppDevice: config.llamacppDevice,
      speechDevice: config.speechDevice,
      isPhone: config.isPhone ?? false,
      standby: config.standby ?? false,
    });
  }

  /** The facts that decide which variant of a model runs here. */
  async read(): Promise<Device> {
    const [{ device }, loads] = await Promise.all([this.#found, this.loads.records()]);
    return { ...device, loads };
  }

  /** Like `read`, with the storage that is left. */
  async readWithStorage(): Promise<Device> {
    const [device, free] = await Promise.all([this.read(), freeBytes()]);
    return { ...device, ...(free !== undefined && { freeBytes: free }) };
  }

  async report(): Promise<DeviceReport> {
    const [{ report }, loads] = await Promise.all([this.#found, this.loads.records()]);
    return withGpuFailures(report, loads);
  }

  async memoryBudget(): Promise<number> {
    return (await this.#found).device.memoryBudget;
  }

  /** Writes the device to the database, where the service worker reads it. */
  async publish(): Promise<void> {
    await this.#store.put((await this.#found).device);
  }

  /** Forgets what went wrong with a model. */
  async forget(model: string): Promise<void> {
    await this.#store.forgetLoads(model);
  }
}
