import type { GpuFault } from '../../core/fit/load-record.ts';
import type { GenerateJob } from '../../core/operations/jobs/jobs.ts';
import type { InstalledModel } from '../download/installer/installed-model.ts';
import type { ReadFile } from '../download/transfer/read-file.ts';
import type { Receiver } from '../download/transfer/receiver.ts';
import type { ChatModel } from '../models/chat-model.ts';

/** An engine that brings installed models into memory. */
export interface TextBackend {
  /**
   * @throws ModelFileError if a file of the model is wrong, ApiError 500 out_of_memory or
   *   webgpu_unavailable if the device cannot run it
   */
  load(request: LoadRequest): Promise<ChatModel>;
  /**
   * Begins to load a model whose files are about to be downloaded. If all have arrived, `load` continues from there.
   *
   * @returns undefined if the engine cannot do that
   */
  receive?(installed: InstalledModel): TextReceiver | undefined;
}

/** Receives the bytes of a text model. */
export interface TextReceiver extends Receiver {
  /** Announces the job that will probably be the model's first one. Its prompt may be read while the bytes arrive. */
  expect(job: GenerateJob): void;
}

/** A model to load, and what loading it needs. */
export interface LoadRequest {
  installed: InstalledModel;
  /** Runs a load with the model's verified files. It may run it twice: a damaged file is fetched again. */
  withFiles: <T>(load: (read: ReadFile) => Promise<T>) => Promise<T>;
  /** Gets the part that is done, 0 to 1, and what is being done. */
  onProgress: (done: number, text: string) => void;
  /**
   * Whether the model may take this much more memory once it is loaded, bytes.
   *
   * @param leavesRoom - whether room for another model must be left; default: false
   */
  canAllocate: (bytes: number, leavesRoom?: boolean) => Promise<boolean>;
  /**
   * Called when the GPU has failed with the model.
   *
   * @returns whether the CPU computes it from now on
   */
  onGpuFailure: (why: string, fault: GpuFault) => Promise<boolean>;
  /** Called when a model that sees is on the GPU, with the reason why the CPU computes its images; undefined: it does not. */
  onImages: (cpuReason: string | undefined) => Promise<void>;
  /** Aborts when the load is given up because it makes no progress. */
  givenUp: AbortSignal;
}
