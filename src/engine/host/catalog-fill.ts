import { warn } from '../../core/errors/warn.ts';
import { orAborted } from '../../core/async/or-aborted.ts';
import { retriable } from '../../core/async/retriable.ts';
import type { Operation } from '../../core/operations/jobs/jobs.ts';
import type { CatalogEntry } from '../../core/catalog/catalog-entry.ts';

interface NamingJob {
  op: Operation;
  model?: unknown;
  source?: unknown;
  settled?: boolean;
}

export interface CatalogLists {
  /** Ids of the installed models. They need only stored data. */
  installed: () => Promise<readonly string[]>;
  /** Puts the site's packs into the catalog. @returns the packs; undefined: the site cannot be reached */
  packs: () => Promise<CatalogEntry[] | undefined>;
  /** Puts everything else into the catalog. Called when the packs are in it, or the site could not be reached. */
  rest: () => Promise<void>;
  /** Deletes stored data that no catalog entry needs. Called when the catalog is complete. */
  tidy: () => Promise<void>;
}

/**
 * Brings the catalog up to date when the engine starts. If a model is installed, jobs that need no other model are
 * served at once from stored data, and the lists are read in the background: the network may be down. Otherwise the
 * site's packs are read first, and jobs for their models do not wait for the rest: a first visit can already download
 * while the hub's list of 150 models is read.
 */
export class CatalogFill {
  readonly #lists: CatalogLists;
  /** Ids of the models that were installed when the engine started. */
  #installed: ReadonlySet<unknown> = new Set();
  /** Ids of the packs' models. */
  #own: ReadonlySet<unknown> = new Set();
  readonly #packs: () => Promise<CatalogEntry[] | undefined>;
  readonly #rest: () => Promise<true>;

  constructor(lists: CatalogLists) {
    this.#lists = lists;
    this.#packs = retriable(() => this.#fillPacks());
    this.#rest = retriable(async (): Promise<true> => {
      await lists.rest();
      void lists.tidy();
      return true;
    });
  }

  /**
   * Begins to fill the catalog, or retries what has failed. If models were installed when it was called before, nobody waits
   * while stored data are read again: each page that comes to an engine which outlives its pages calls this.
   *
   * @throws the error of reading the packs, if no model is installed
   */
  async begin(): Promise<void> {
    const isServing = this.#installed.size > 0;
    const beginning = this.#begin();
    if (isServing) beginning.catch(warn);
    else await beginning;
  }

  async #begin(): Promise<void> {
    this.#installed = new Set(await this.#lists.installed());
    if (this.#installed.size === 0) await this.#packs();
    else {
      const filling = this.#packs().then(() => this.#rest());
      filling.catch(warn);
    }
  }

  /**
   * Fills the catalog again after the database was deleted. Nothing is tidied: the new database can only hold files of
   * running downloads, which would be deleted because their plans are lost.
   */
  async again(): Promise<void> {
    await this.#fillPacks();
    await this.#lists.rest();
  }

  /** A stage in which jobs wait until the catalog has what they need. `begin` must have resolved. */
  readonly ready = async (
    { job, signal }: { readonly job: NamingJob; readonly signal: AbortSignal },
    next: () => Promise<void>,
  ): Promise<void> => {
    await orAborted(job.settled ? this.#settled() : this.#ready(modelOf(job)), signal);
    await next();
  };

  /** Resolves when all lists are read, or cannot be read. */
  async #settled(): Promise<void> {
    await this.#packs()
      .then(() => this.#rest())
      .catch(() => undefined);
  }

  /** Resolves when the catalog has what a job for the model needs. */
  async #ready(model: unknown): Promise<void> {
    const isServed = model === undefined ? this.#installed.size > 0 : this.#installed.has(model);
    if (isServed) return;
    // A download must use the model that the site offers now, so the packs are read first.
    if (this.#installed.size > 0) await this.#packs();
    if (!this.#own.has(model)) await this.#rest();
  }

  async #fillPacks(): Promise<CatalogEntry[] | undefined> {
    const packs = await this.#lists.packs();
    this.#own = new Set(packs?.map(({ id }) => id));
    return packs;
  }
}

/** The model that the job is for; undefined: the job is for no model, or for many. */
function modelOf(job: NamingJob): unknown {
  return job.model ?? job.source;
}
