import { ApiError, serverError, toErrorData } from '../../core/errors/errors.ts';
import { isLockHeld } from '../../core/port/web-lock.ts';
import { leastContext } from '../../core/fit/context-memory.ts';
import type { DeviceStore } from '../../core/database/device-store.ts';
import {
  afterAnswer,
  afterCrash,
  afterEnd,
  afterGpuFailure,
  afterImages,
  afterLoad,
  isForgettable,
  isNoLess,
  MOST_CRASHES,
  MOST_GPU_FAILURES,
  recordOf,
  withLess,
  type GpuFault,
  type LoadRecord,
} from '../../core/fit/load-record.ts';
import type { InstalledModel } from '../download/installer/installed-model.ts';
import { messageOf } from '../../core/text/message-of.ts';

interface LoadLogOptions {
  store: DeviceStore;
  /** The Web Lock of this worker. */
  engine: string;
  /** The browser with its version. Records of another one do not count. */
  surroundings: string;
  isHeld?: (lock: string) => Promise<boolean>;
  /** Called after each load that succeeds. */
  onLoaded?: (model: InstalledModel) => void;
}

type Model = Pick<InstalledModel, 'entry' | 'variant' | 'installation'>;
/** A model and the context length that it is loaded with. */
type Loadable = Model & Pick<InstalledModel, 'contextLength'>;

/** How a load was asked for. */
export interface Asked {
  /** No user has just asked for the load: a job is repeated, or the model is kept ready for a takeover. */
  automatic?: boolean | undefined;
  /** Load it whatever happened before. */
  anyway?: boolean | undefined;
  /** A page asks because it starts. */
  starting?: boolean | undefined;
}

/**
 * Remembers what goes wrong with models on this device. A load that ends the tab leaves its marker in the
 * database, and the Web Lock of its engine becomes free. The next engine counts that as a crash, unless a
 * page has noted that it ended that engine itself.
 */
export class LoadLog {
  readonly #options: LoadLogOptions;
  /** Engines that pages have ended; undefined: pages cannot tell, so no crash is counted. */
  #ended: ReadonlySet<string> | undefined;
  /** Models whose GPU has failed since their last answer. */
  readonly #failing = new Set<string>();

  constructor(options: LoadLogOptions) {
    this.#options = options;
  }

  /** @param locks - of the engines that pages of this site have ended lately */
  setEnded(locks: readonly string[]): void {
    this.#ended = new Set(locks);
  }

  /** All records of this browser. Before that, counts the loads that have ended their engine since the last call. */
  async records(): Promise<LoadRecord[]> {
    const { store, surroundings } = this.#options;
    const records: LoadRecord[] = [];
    for (const found of await store.loads()) {
      if (found.surroundings !== surroundings) continue;
      const record = await this.#settled(found);
      if (!record) continue;
      if (record.gpuFailures > 0) this.#failing.add(record.model);
      records.push(record);
    }
    return records;
  }

  /**
   * Refuses a load that would probably end the tab once more.
   *
   * @throws ApiError 500 load_crashed
   */
  async check({ entry, variant, contextLength }: Loadable, asked: Asked): Promise<void> {
    if (asked.anyway) return;
    const record = recordOf(await this.records(), entry.id, variant);
    if (!record || record.crashes === 0) return;
    const { crashes } = record;
    const isRepeated = asked.starting && isNoLess(record, contextLength);
    if (!isRepeated && !asked.automatic && crashes < MOST_CRASHES) return;
    const advice = adviceFor(entry.id, crashes, asked);
    const times = crashes === 1 ? '' : ` ${crashes} times in a row`;
    const message = `Loading the model '${entry.id}' has ended the tab${times}, so it is not repeated. ${advice}`;
    throw serverError('load_crashed', message);
  }

  /** Runs a load, with a marker in the database that tells the next engine if this one does not survive. */
  async during<T>(model: InstalledModel, load: () => Promise<T>): Promise<T> {
    const { engine } = this.#options;
    const running = { engine, contextLength: model.contextLength };
    await this.#change(model, (record) => ({ ...record, running }));
    try {
      const loaded = await load();
      // The load doesn't wait for this: the database keeps the order.
      void this.#change(model, afterLoad);
      this.#options.onLoaded?.(model);
      return loaded;
    } catch (error) {
      await this.#change(model, afterEnd);
      throw error;
    }
  }

  /**
   * Notes that a load on the CPU has failed for lack of memory.
   *
   * @returns whether another attempt gets a shorter context
   */
  async noteMemoryError(model: InstalledModel, error: unknown): Promise<boolean> {
    const { entry, variant, contextLength } = model;
    const isOurs = variant.engine === 'llamacpp' && toErrorData(error).code === 'out_of_memory';
    if (!isOurs || contextLength <= leastContext(entry.contextLength)) return false;
    const record = await this.#change(model, (old) => withLess(old, contextLength));
    return record !== undefined;
  }

  /**
   * Notes an error of a model that runs on the GPU.
   *
   * @returns whether the model should do without the GPU from now on
   */
  async noteGpuError(model: Model, error: unknown): Promise<boolean> {
    const fault = model.variant.engine === 'webllm' ? gpuFault(error) : undefined;
    if (!fault) return false;
    const why = messageOf(error);
    this.#failing.add(model.entry.id);
    const record = await this.#changeAfterGpuFailure(model, why, fault);
    return (record?.gpuFailures ?? 0) >= MOST_GPU_FAILURES;
  }

  /**
   * Notes that the GPU has failed with a model of llama.cpp, which the CPU can compute.
   *
   * @returns whether the CPU computes it from now on
   */
  async noteGpuFailure(model: Model, why: string, fault: GpuFault): Promise<boolean> {
    this.#failing.add(model.entry.id);
    const record = await this.#changeAfterGpuFailure(model, why, fault);
    return !record || record.gpuFailures >= MOST_GPU_FAILURES;
  }

  /** Notes why the CPU computes the images of a model that is on the GPU; undefined: the GPU does. */
  async noteImages(model: Model, why: string | undefined): Promise<void> {
    await this.#change(model, (old) => afterImages(old, why));
  }

  /** Notes that a variant for GPUs has failed on the GPU and on the CPU: another one is preferred from now on. */
  async noteUnusable(model: Model, error: unknown): Promise<void> {
    const { message } = toErrorData(error);
    await this.#changeAfterGpuFailure(model, message, 'final');
  }

  /** Notes that a model has answered, so the failures before it count no longer. */
  async noteAnswer(model: Model): Promise<void> {
    if (!this.#failing.delete(model.entry.id)) return;
    // llama.cpp has answered on the CPU if it has given up the GPU.
    const isLeft = ({ gpuFailures }: LoadRecord) =>
      model.variant.engine === 'llamacpp' && gpuFailures >= MOST_GPU_FAILURES;
    await this.#change(model, (old) => (isLeft(old) ? old : afterAnswer(old)));
  }

  #changeAfterGpuFailure(model: Model, why: string, fault: GpuFault) {
    const { engine } = this.#options;
    return this.#change(model, (old) => afterGpuFailure(old, why, fault, engine));
  }

  /** The record without what another engine has left in it that has ended. */
  async #settled(record: LoadRecord): Promise<LoadRecord | undefined> {
    const tried = await this.#triedAgain(record);
    return tried && this.#counted(tried);
  }

  async #triedAgain(record: LoadRecord): Promise<LoadRecord | undefined> {
    const { gpuFailedIn } = record;
    if (gpuFailedIn === undefined || (await this.#lives(gpuFailedIn))) return record;
    return this.#options.store.changeLoad(record.model, record.variant, (stored) =>
      stored?.gpuFailedIn === gpuFailedIn ? unlessForgettable(afterAnswer(stored)) : stored,
    );
  }

  async #counted(record: LoadRecord): Promise<LoadRecord | undefined> {
    const { store } = this.#options;
    const { running } = record;
    if (!running || (await this.#lives(running.engine))) return record;
    const isClean = !this.#ended || this.#ended.has(running.engine);
    return store.changeLoad(record.model, record.variant, (stored) => {
      // In the meantime, another engine may have counted this crash.
      if (stored?.running?.engine !== running.engine) return stored;
      return unlessForgettable(isClean ? afterEnd(stored) : afterCrash(stored));
    });
  }

  async #lives(lock: string): Promise<boolean> {
    const { engine, isHeld = isLockHeld } = this.#options;
    return lock === engine || isHeld(lock);
  }

  /** Changes a model's record. If that cannot be stored, the change is lost, but no load fails because of it. */
  async #change(
    { entry, variant, installation: { revision } }: Model,
    change: (record: LoadRecord) => LoadRecord,
  ): Promise<LoadRecord | undefined> {
    const { store, surroundings } = this.#options;
    const fresh: LoadRecord = {
      model: entry.id,
      variant: variant.id,
      revision,
      surroundings,
      crashes: 0,
      gpuFailures: 0,
    };
    const next = (stored: LoadRecord | undefined) => {
      const counts = stored?.revision === revision && stored.surroundings === surroundings;
      return unlessForgettable(change(counts ? stored : fresh));
    };
    return store.changeLoad(entry.id, variant.id, next).catch(() => undefined);
  }
}

function adviceFor(id: string, crashes: number, { automatic }: Asked): string {
  if (automatic) return 'Ask again: it is then loaded with less, if that is possible.';
  const options = crashes < MOST_CRASHES ? '' : ', { anyway: true }';
  return `models.load('${id}'${options}) tries it once more.`;
}

function unlessForgettable(record: LoadRecord): LoadRecord | undefined {
  return isForgettable(record) ? undefined : record;
}

/**
 * What an error of WebLLM says about the GPU; undefined: nothing. It fails again with this model if its memory is too small or
 * it cannot compile the kernels.
 */
function gpuFault(error: unknown): GpuFault | undefined {
  if (error instanceof ApiError) return faultOfCode(error.data.code);
  if (!(error instanceof Error)) return undefined;
  // WebGPU's error for kernels that do not compile. Other errors name no reliable cause.
  return error.name === 'GPUPipelineError' ? 'final' : 'passing';
}

function faultOfCode(code: string | null): GpuFault | undefined {
  if (code === 'out_of_memory' || code === 'webgpu_unavailable') return 'final';
  return code === 'timeout' ? 'passing' : undefined;
}
