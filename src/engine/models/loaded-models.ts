import { modelUnusable, toErrorData } from '../../core/errors/errors.ts';
import { memoryBytes } from '../scheduling/memory-budget.ts';
import type { ModelMemory } from '../scheduling/model-memory.ts';
import type { ProgressBoard } from '../scheduling/progress-board.ts';
import type { Loadable } from '../scheduling/resident-model.ts';
import { watchProgress } from '../scheduling/watchdog.ts';
import type { LoadLog } from '../device/load-log.ts';
import type { InstalledModel } from '../download/installer/installed-model.ts';
import type { Installer } from '../download/installer/installer.ts';
import { ModelFileError } from '../download/hub/model-file-error.ts';
import type { ReadFile } from '../download/transfer/read-file.ts';
import type { ChatModel } from './chat-model.ts';
import type { TextBackend } from '../conversation/text-backend.ts';
import { messageOf } from '../../core/text/message-of.ts';

/** What loading a model needs. */
export interface LoadingServices {
  backend: TextBackend;
  installer: Pick<Installer, 'loadVerified'>;
  progress: ProgressBoard;
  memory: Pick<ModelMemory, 'hasRoom'>;
  loads: Pick<LoadLog, 'during' | 'noteGpuFailure' | 'noteImages'>;
  /** Called with the error of an unload that failed. @returns what to throw */
  onUnloadFailed: (installed: InstalledModel, error: unknown) => unknown;
}

/** The text models in memory: loads and unloads them, and reports the progress. */
export class LoadedModels {
  readonly #parts: LoadingServices;
  readonly #models = new Map<string, ChatModel>();

  constructor(parts: LoadingServices) {
    this.#parts = parts;
  }

  /** The model, if it is in memory. */
  get(id: string): ChatModel | undefined {
    return this.#models.get(id);
  }

  /**
   * The model as the memory budget sees it.
   *
   * @param signal - cancels loading it
   */
  loadable(installed: InstalledModel, signal: AbortSignal): Loadable {
    const { id } = installed.entry;
    return {
      id,
      bytes: memoryBytes(installed),
      load: async () => {
        const load = () => this.#load(installed, signal);
        this.#models.set(id, await this.#parts.loads.during(installed, load));
        this.#parts.progress.reportLoad(installed, 'ready', 1, 'Ready');
      },
      unload: () => this.#unload(installed),
      extra: {
        bytes: () => this.#models.get(id)?.model.extraBytes ?? 0,
        release: () => this.#models.get(id)?.model.releaseExtra(),
      },
    };
  }

  /**
   * Loads, reports a failure to the watchers, and throws it.
   *
   * @param signal - cancels the load, which is not a failure
   */
  async reportFailure<T>(id: string, signal: AbortSignal, load: () => Promise<T>): Promise<T> {
    try {
      return await load();
    } catch (error) {
      const text = messageOf(error);
      if (!signal.aborted) this.#parts.progress.reportEnd(id, 'failed', text);
      else if (!this.#models.has(id)) this.#parts.progress.reportEnd(id, 'unloaded', 'Cancelled');
      throw error;
    }
  }

  /** Ends a model that has failed. */
  drop(id: string, why: string): void {
    const model = this.#models.get(id);
    if (!model) return;
    this.#models.delete(id);
    // The model may be in any state, so a failed unload is ignored.
    void model.model.unload().catch(() => undefined);
    this.#parts.progress.reportEnd(id, 'failed', why);
  }

  /**
   * A worker of llama.cpp that does not start, or stops loading, gets one successor: browsers were seen to do both without
   * an error. The worker of WebLLM is the engine's own.
   */
  async #load(installed: InstalledModel, signal: AbortSignal): Promise<ChatModel> {
    try {
      return await this.#loadOnce(installed, signal);
    } catch (error) {
      const mayRepeat = installed.variant.engine === 'llamacpp' && !signal.aborted;
      if (!mayRepeat || toErrorData(error).code !== 'timeout') throw error;
      return this.#loadOnce(installed, signal);
    }
  }

  async #loadOnce(installed: InstalledModel, signal: AbortSignal): Promise<ChatModel> {
    const { backend, installer, memory } = this.#parts;
    this.#parts.progress.reportLoad(installed, 'load', 0, 'Loading');
    const givenUp = new AbortController();
    let doing = 'reading its files';
    const loading = watchProgress(
      () => doing,
      async (onStep) => {
        const withFiles = <T>(load: (read: ReadFile) => Promise<T>) => {
          const noted = (read: ReadFile) =>
            load(async (path) => {
              const file = await read(path);
              doing = 'starting';
              return file;
            });
          return installer.loadVerified(installed, noted, signal, onStep);
        };
        const onProgress = (done: number, text: string) => {
          doing = 'loading';
          onStep();
          this.#parts.progress.reportLoad(installed, 'load', done, text);
        };
        const canAllocate = (bytes: number, leavesRoom?: boolean) =>
          memory.hasRoom(bytes, leavesRoom);
        try {
          return await backend.load({
            installed,
            withFiles,
            onProgress,
            canAllocate,
            onGpuFailure: (why, fault) => this.#parts.loads.noteGpuFailure(installed, why, fault),
            onImages: (cpuReason) => this.#parts.loads.noteImages(installed, cpuReason),
            givenUp: givenUp.signal,
          });
        } catch (error) {
          throw error instanceof ModelFileError
            ? modelUnusable(installed.entry.id, error.fault)
            : error;
        }
      },
    );
    try {
      return await loading;
    } catch (error) {
      givenUp.abort(error);
      throw error;
    }
  }

  async #unload(installed: InstalledModel): Promise<void> {
    const { id } = installed.entry;
    const model = this.#models.get(id);
    this.#models.delete(id);
    try {
      await watchProgress(
        () => 'unloading',
        async () => model?.model.unload(),
      );
    } catch (error) {
      // Perhaps no request waits for this unload, so the failure is handled here.
      throw this.#parts.onUnloadFailed(installed, error);
    }
    this.#parts.progress.reportEnd(id, 'unloaded', 'Unloaded');
  }
}
