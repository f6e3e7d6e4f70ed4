import { ApiError } from '../../core/errors/errors.ts';
import { chooseUnloads, type Tenant } from './memory-plan.ts';
import { ResidentModel, type Loadable } from './resident-model.ts';
import { Turnstile } from './turnstile.ts';

interface Options {
  /** Budget for all models together, bytes; called once, when it is first needed. */
  budget: () => Promise<number>;
  /** A model is unloaded after this long without a request, milliseconds; Infinity: never. */
  unloadAfterMs: number;
}

/** `setTimeout` treats anything longer as 0, milliseconds. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The part of the budget that a growing model leaves to other models. */
const FOR_OTHERS = 1 / 4;

/**
 * Keeps all models in memory within the budget. Loads and unloads happen one at a time. A model
 * stays until its running answers end. A model that is being unloaded takes no new request, so
 * a load never waits forever for its memory.
 */
export class ModelMemory {
  readonly #options: Options;
  readonly #residents = new Map<string, ResidentModel>();
  /** By model: how many requests wait for their turn. */
  readonly #awaited = new Map<string, number>();
  readonly #changes = new Turnstile({ waiting: Infinity, perClient: Infinity });
  #clock = 0;
  /** Bytes of the model that is being loaded. */
  #arriving = 0;
  /** Bytes of the models that are being downloaded into memory. */
  #reserved = 0;
  #budget: number | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Whether this much fits into the budget without unloading anything.
   *
   * @param leavesRoom - whether room for another model must be left
   */
  async hasRoom(bytes: number, leavesRoom = false): Promise<boolean> {
    const budget = (await this.#readBudget()) * (leavesRoom ? 1 - FOR_OTHERS : 1);
    const others = this.#arriving + this.#reserved;
    return taken(this.#residents.values()) + others + bytes <= budget;
  }

  /**
   * Reserves memory for a model that is loaded while it is downloaded. Unloads no other model for it.
   *
   * @returns the function that ends the reservation; undefined: too little memory is left
   */
  async reserve(bytes: number): Promise<(() => void) | undefined> {
    if (!(await this.hasRoom(bytes))) return undefined;
    this.#reserved += bytes;
    return once(() => void (this.#reserved -= bytes));
  }

  /** Whether the model is in memory. */
  has(id: string): boolean {
    return this.#residents.has(id);
  }

  /**
   * Announces a request for this model. Until it ends, other models are unloaded first.
   *
   * @returns the function to call when the request ends
   */
  expect(id: string): () => void {
    this.#awaited.set(id, this.#waiting(id) + 1);
    this.#residents.get(id)?.keep();
    return once(() => {
      const left = this.#waiting(id) - 1;
      if (left > 0) this.#awaited.set(id, left);
      else this.#awaited.delete(id);
      const resident = this.#residents.get(id);
      if (resident) this.#rest(resident);
    });
  }

  /**
   * Keeps a model in memory while it generates an answer.
   *
   * @returns the function that releases it; undefined if the model must be loaded first
   */
  hold(id: string): (() => void) | undefined {
    const resident = this.#residents.get(id);
    return resident && !resident.isLeaving ? this.#hold(resident) : undefined;
  }

  /**
   * Loads a model and holds it; other models may be unloaded for it. If memory runs out although
   * the budget allowed the load, all other models are unloaded and the load is tried once more.
   *
   * @returns as `hold`
   */
  async load(model: Loadable, signal: AbortSignal): Promise<() => void> {
    return this.#change(signal, async () => {
      const release = this.hold(model.id);
      if (release) return release;
      await this.#makeRoom(model.bytes, signal);
      this.#arriving = model.bytes;
      await model
        .load()
        .catch((error: unknown) => this.#loadAlone(model, error, signal))
        .finally(() => (this.#arriving = 0));
      const resident = new ResidentModel(model);
      this.#residents.set(model.id, resident);
      return this.#hold(resident);
    });
  }

  /** Unloads a model when its running answers end; waiting requests load it again. */
  unload(id: string, signal: AbortSignal): Promise<void> {
    return this.#change(signal, () => this.#remove(id, signal));
  }

  /** Stops counting a model, e.g. because its worker has ended. */
  forget(id: string): void {
    this.#residents.get(id)?.keep();
    this.#residents.delete(id);
  }

  /**
   * Stops counting a model whose worker has ended by itself, unless jobs use it: they fail, and handle that.
   *
   * @returns whether it was counted until now
   */
  forgetIdle(id: string): boolean {
    const resident = this.#residents.get(id);
    if (!resident || resident.running > 0) return false;
    this.forget(id);
    return true;
  }

  #hold(resident: ResidentModel): () => void {
    resident.running++;
    resident.keep();
    resident.lastUsed = ++this.#clock;
    return once(() => {
      resident.running--;
      resident.lastUsed = ++this.#clock;
      if (resident.running === 0) resident.done();
      this.#rest(resident);
    });
  }

  async #loadAlone(model: Loadable, error: unknown, signal: AbortSignal): Promise<void> {
    const isMemory = error instanceof ApiError && error.data.code === 'out_of_memory';
    if (!isMemory || this.#residents.size === 0) throw error;
    for (const id of this.#residents.keys()) await this.#remove(id, signal);
    await model.load();
  }

  async #makeRoom(bytes: number, signal: AbortSignal): Promise<void> {
    if (this.#residents.size === 0) return;
    const budget = (await this.#readBudget()) - this.#reserved;
    this.#releaseExtras(budget - bytes);
    const tenants = [...this.#residents.values()].map((resident) => this.#tenant(resident));
    for (const { id } of chooseUnloads(tenants, bytes, budget)) await this.#remove(id, signal);
  }

  async #readBudget(): Promise<number> {
    return (this.#budget ??= await this.#options.budget());
  }

  /** Frees extra memory where engines can, least recently used models first, until all together take at most `most`. */
  #releaseExtras(most: number): void {
    const residents = [...this.#residents.values()];
    for (const { model } of residents.sort((a, b) => a.lastUsed - b.lastUsed)) {
      if (extraBytes(model) > 0 && taken(residents) > most) model.extra?.release();
    }
  }

  #tenant({ model, lastUsed, running }: ResidentModel): Tenant {
    const { id } = model;
    const use = running > 0 ? 'running' : this.#waiting(id) > 0 ? 'awaited' : 'idle';
    return { id, bytes: model.bytes + extraBytes(model), lastUsed, use };
  }

  async #remove(id: string, signal: AbortSignal): Promise<void> {
    const resident = this.#residents.get(id);
    if (!resident) return;
    await resident.leave(signal);
    // The model's worker may have ended in the meantime.
    if (this.#residents.get(id) !== resident) return;
    this.forget(id);
    await resident.model.unload();
  }

  /** Starts the model's idle timer, if it is idle. */
  #rest(resident: ResidentModel): void {
    const { unloadAfterMs } = this.#options;
    // The model may have been removed while its last answer was ending.
    if (this.#residents.get(resident.model.id) !== resident || !this.#isIdle(resident)) return;
    if (unloadAfterMs > LONGEST_TIMEOUT_MS) return;
    resident.rest(unloadAfterMs, () => void this.#unloadIdle(resident));
  }

  async #unloadIdle(resident: ResidentModel): Promise<void> {
    const { signal } = new AbortController();
    const { id } = resident.model;
    const work = async () => {
      if (this.#isIdle(resident)) await this.#remove(id, signal);
    };
    // No request waits for this unload, and the model's engine has handled the failure.
    await this.#change(signal, work).catch(() => undefined);
  }

  #isIdle(resident: ResidentModel): boolean {
    return this.#tenant(resident).use === 'idle';
  }

  #waiting(id: string): number {
    return this.#awaited.get(id) ?? 0;
  }

  async #change<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const leave = await this.#changes.enter('', signal);
    try {
      return await work();
    } finally {
      leave();
    }
  }
}

function taken(residents: Iterable<ResidentModel>): number {
  return [...residents].reduce((sum, { model }) => sum + model.bytes + extraBytes(model), 0);
}

function extraBytes({ extra }: Loadable): number {
  return extra?.bytes() ?? 0;
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
