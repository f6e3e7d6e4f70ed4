import { orAborted } from '../../core/async/or-aborted.ts';
import type { Operation } from '../../core/operations/jobs.ts';
import type { CatalogEntry } from '../../core/catalog/catalog-entry.ts';
import { retriable } from './retriable.ts';

interface NamingJob {
  op: Operation;
  model?: unknown;
  source?: unknown;
}

export interface CatalogLists {
  /** Ids of the models that are installed: what is stored of them is all that they need. */
  installed: () => Promise<readonly string[]>;
  /** Puts the site's packs into the catalog. @returns them; undefined: the site cannot be reached */
  packs: () => Promise<CatalogEntry[] | undefined>;
  /** Puts everything else there. It is called when the packs are in it, or the site could not be reached. */
  rest: () => Promise<void>;
  /** Deletes what nothing in the catalog needs. It is called when the catalog is complete. */
  tidy: () => Promise<void>;
}

/**
 * Brings the catalog up to date when the engine starts. Where a model is installed, everything but other models is
 * served at once from what is stored, and the lists are read beside it: the network may answer nothing. Otherwise the
 * packs of the site come first, and jobs for their models do not wait for the rest: the hub's list of 150 models takes a
 * part of the time in which a first visit could download already.
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
   * Begins, or tries again what failed.
   *
   * @throws what the packs' list fails with, if no model is installed
   */
  async begin(): Promise<void> {
    this.#installed = new Set(await this.#lists.installed());
    if (this.#installed.size === 0) await this.#packs();
    else {
      const filling = this.#packs().then(() => this.#rest());
      filling.catch((error: unknown) => console.warn('slashv1:', error));
    }
  }

  /**
   * Fills the catalog again: the database was deleted. The new one has nothing to tidy but the files of downloads that
   * go on, whose plans are gone.
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
    await orAborted(this.#ready(modelOf(job)), signal);
    await next();
  };

  /** Resolves when the catalog has what a job for the model needs. */
  async #ready(model: unknown): Promise<void> {
    const isServed = model === undefined ? this.#installed.size > 0 : this.#installed.has(model);
    if (isServed) return;
    // A model that is to be downloaded is the one that the site has now.
    if (this.#installed.size > 0) await this.#packs();
    if (!this.#own.has(model)) await this.#rest();
  }

  async #fillPacks(): Promise<CatalogEntry[] | undefined> {
    const packs = await this.#lists.packs();
    this.#own = new Set(packs?.map(({ id }) => id));
    return packs;
  }
}

/** The model that the job is for; undefined: it is for none, or for many. */
function modelOf(job: NamingJob): unknown {
  return job.model ?? job.source;
}
