import type { GenerateJob } from '../../../core/operations/jobs/jobs.ts';
import type { LlamaCppVariant } from '../../../core/catalog/variant.ts';
import type { TextReceiver } from '../../conversation/text-backend.ts';
import type { InstalledModel } from '../../download/installer/installed-model.ts';
import type { LoadedModel, LoadModel } from '../messages.ts';
import { partName } from '../model-files.ts';
import type { ModelWorker } from './model-worker.ts';
import { GpuLost } from './worker-lost.ts';

interface Options extends Pick<LoadModel, 'threads' | 'kept' | 'onGpu'> {
  /** The job's prompt as the model reads it; undefined if it needs the weights first. Throws ApiError. */
  promptOf: (job: GenerateJob, facts: LoadedModel) => string | undefined;
}

/** A model whose worker opens it while its files are downloaded. */
export class ArrivingModel implements TextReceiver {
  readonly worker: ModelWorker;
  /** Rejects if the model cannot be opened, or has been given up. */
  readonly facts: Promise<LoadedModel>;
  readonly #promptOf: Options['promptOf'];
  readonly #installed: InstalledModel;
  readonly #paths: readonly string[];
  /** How many bytes each part lacks. */
  readonly #missing: Map<string, number>;
  /** Why its GPU cannot be used. */
  #gpuLost: GpuLost | undefined;

  /** @param installed - the model, whose files are about to be downloaded */
  constructor(
    worker: ModelWorker,
    installed: InstalledModel,
    variant: LlamaCppVariant,
    { threads, kept, onGpu, promptOf }: Options,
  ) {
    this.worker = worker;
    this.#promptOf = promptOf;
    this.#installed = installed;
    this.#paths = [...variant.parts, ...projectorOf(variant)];
    const { contextLength, kvCacheType, installation } = installed;
    const sizeOf = (path: string) => installation.files.find((file) => file.path === path)?.size;
    this.#missing = new Map(this.#paths.map((path) => [path, sizeOf(path) ?? 0]));
    const named = (path: string) => ({ name: partName(path), size: sizeOf(path) ?? 0 });
    const parts = variant.parts.map(named);
    const [projector] = projectorOf(variant).map(named);
    const load = { parts, projector, contextLength, kvCacheType, threads, kept, onGpu };
    this.facts = worker.load(load, () => undefined);
    this.facts.catch((error: unknown) => {
      if (error instanceof GpuLost) this.#gpuLost = error;
    });
  }

  async take(path: string, pieces: Uint8Array<ArrayBuffer>[]): Promise<ArrayBuffer | undefined> {
    const missing = this.#missing.get(path);
    if (missing === undefined || this.worker.isEnded) return undefined;
    const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
    this.#missing.set(path, missing - bytes);
    return this.worker.fill(this.#paths.indexOf(path), pieces);
  }

  expect(job: GenerateJob): void {
    void this.worker.opened
      .then((facts) => {
        const prompt = this.#promptOf(job, facts);
        if (prompt !== undefined) this.worker.expect(prompt);
      })
      // Errors of the job or the model are reported when it runs.
      .catch(() => undefined);
  }

  giveUp(): void {
    this.worker.end();
  }

  /** Whether this is the same model, and all of it has arrived. @throws GpuLost if its GPU has failed meanwhile */
  is(model: InstalledModel): boolean {
    if (!this.#isSame(model)) return false;
    if (this.#gpuLost) throw this.#gpuLost;
    return !this.worker.isEnded && [...this.#missing.values()].every((bytes) => bytes === 0);
  }

  #isSame({ variant, installation, runsOn, ...model }: InstalledModel): boolean {
    const mine = this.#installed;
    return (
      mine.variant.id === variant.id &&
      mine.runsOn === runsOn &&
      mine.installation.revision === installation.revision &&
      mine.contextLength === model.contextLength &&
      mine.kvCacheType === model.kvCacheType
    );
  }
}

/** The path of the variant's projector, if it has one. */
export function projectorOf({ projector }: LlamaCppVariant): string[] {
  return projector === undefined ? [] : [projector];
}
