import { BUILT_IN_MODEL, builtInChannel, type BuiltInFacts } from '../../core/realms/built-in.ts';
import { EngineClient } from '../../core/port/engine-client.ts';
import { ApiError, modelNotFound, serverError } from '../../core/errors/errors.ts';
import type { JobOf } from '../../core/operations/jobs/jobs.ts';
import type { CatalogEntry } from '../../core/catalog/catalog-entry.ts';
import type { CatalogStore } from '../../core/catalog/catalog-store.ts';
import type { Context } from '../road/stage.ts';
import type { StartWorker } from '../workers/page-worker.ts';
import type { ProgressBoard } from '../scheduling/progress-board.ts';
import { Turnstile } from '../scheduling/turnstile.ts';
import { builtInEntry } from './built-in-entry.ts';
import { messageOf } from '../../core/text/message-of.ts';

interface BuiltInHostOptions {
  base: string;
  /** Whether the page says that its browser has a model. */
  exists: boolean;
  catalog: Pick<CatalogStore, 'get' | 'put' | 'delete'>;
  progress: ProgressBoard;
  startWorker: StartWorker;
}

type Next = () => Promise<void>;

/** The browser's own model. It runs in the page, because workers cannot use it, and gives one answer at a time. */
export class BuiltInHost {
  readonly #parts: BuiltInHostOptions;
  readonly #turns = new Turnstile();
  #client: EngineClient | undefined;
  #isDownloading = false;
  #refreshing: Promise<CatalogEntry | undefined> | undefined;

  constructor(parts: BuiltInHostOptions) {
    this.#parts = parts;
    if (!parts.exists) return;
    builtInChannel(parts.base).onmessage = ({ data }: MessageEvent<number>) => this.#onPart(data);
  }

  /** A stage that answers jobs of the browser's own model, one at a time. Other jobs go to the next stage. */
  readonly answer = async <Op extends 'generate' | 'tokens'>(
    { job, signal, emit }: Context<Op>,
    next: Next,
  ): Promise<void> => {
    if (job.model !== BUILT_IN_MODEL) return next();
    const leave =
      job.op === 'generate' ? await this.#turns.enter(job.client ?? '', signal) : nothing;
    try {
      await this.#page().run(job, signal, emit);
    } finally {
      leave();
    }
  };

  /** A stage that loads the browser's own model. Other jobs go to the next stage. */
  readonly load = async ({ job, signal }: Context<'load'>, next: Next): Promise<void> => {
    if (job.model === BUILT_IN_MODEL) await this.#load(job, signal);
    else await next();
  };

  /** A stage that unloads the browser's own model. Other jobs go to the next stage. */
  readonly unload = async ({ job, signal }: Context<'unload'>, next: Next): Promise<void> => {
    if (job.model === BUILT_IN_MODEL) await this.#unload(job, signal);
    else await next();
  };

  /** The last stage of a job that asks what the browser says about its model. */
  readonly facts = ({ job, signal, emit }: Context<'built-in'>): Promise<void> =>
    this.#page().run(job, signal, emit);

  /** Asks the browser for the state of its model, and updates the catalog. Concurrent calls share the answer. */
  refresh(): Promise<CatalogEntry | undefined> {
    this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  /**
   * Calls `refresh` if the model is in the catalog. Otherwise the browser isn't asked at the start, because some
   * browsers without a model then write an error into the page's console.
   */
  async refreshKnown(): Promise<void> {
    if (await this.#parts.catalog.get(BUILT_IN_MODEL)) await this.refresh();
  }

  async #refresh(): Promise<CatalogEntry | undefined> {
    const { catalog, exists } = this.#parts;
    const facts: BuiltInFacts = exists ? await this.#facts() : { availability: 'unavailable' };
    const known = await catalog.get(BUILT_IN_MODEL);
    const entry = builtInEntry(facts, known);
    if (entry) await catalog.put(entry);
    else if (known) await catalog.delete(BUILT_IN_MODEL);
    this.#reportDownload(facts.availability === 'downloading');
    return entry;
  }

  /** The model's entry. @throws ApiError 404 if the browser has none that runs here */
  async requireEntry(): Promise<CatalogEntry> {
    const entry = await this.refresh();
    if (entry) return entry;
    throw modelNotFound(BUILT_IN_MODEL, 'This browser has no model of its own that runs here.');
  }

  /** Downloads the model, if the browser allows that, and learns how long its context is. */
  async install(
    signal: AbortSignal,
    job: JobOf<'install'> = { op: 'install', model: BUILT_IN_MODEL },
  ): Promise<void> {
    await this.requireEntry();
    await this.#page().run(job, signal, nothing);
    this.#isDownloading = false;
    // A refresh that is already running may have asked before the download ended.
    await this.#refreshing;
    await this.refresh();
    this.#report('installed', 'Installed');
  }

  async #load(job: JobOf<'load'>, signal: AbortSignal): Promise<void> {
    await this.requireEntry();
    this.#report('load', 'Loading');
    try {
      await this.#page().run(job, signal, nothing);
    } catch (error) {
      const text = messageOf(error);
      this.#report(signal.aborted ? 'unloaded' : 'failed', text);
      throw error;
    }
    await this.refresh();
    this.#report('ready', 'Ready');
  }

  async #unload(job: JobOf<'unload'>, signal: AbortSignal): Promise<void> {
    if (!this.#client) return;
    await this.#client.run(job, signal, nothing);
    this.#report('unloaded', 'Unloaded');
  }

  async #facts(): Promise<BuiltInFacts> {
    const { signal } = new AbortController();
    let told: BuiltInFacts | undefined;
    await this.#page().run({ op: 'built-in' }, signal, ({ facts }) => void (told = facts));
    if (told) return told;
    throw serverError('engine_error', "The page does not tell of the browser's model.");
  }

  /** The connection to the page, which imports its script for the model on the first call. */
  #page(): EngineClient {
    if (this.#client) return this.#client;
    const { base, startWorker } = this.#parts;
    const { port1, port2 } = new MessageChannel();
    const client = new EngineClient(port1);
    // The empty name tells the page to import its script from this folder itself.
    const page = startWorker(new URL(base), '');
    page.port.postMessage(null, [port2]);
    page.addEventListener('error', ({ message, error }) => {
      if (this.#client === client) this.#client = undefined;
      client.close(error instanceof ApiError ? error : serverError('engine_error', message));
    });
    this.#client = client;
    return client;
  }

  #onPart(done: number): void {
    this.#isDownloading = true;
    this.#report('download', `Downloading: ${Math.round(done * 100)} %`);
  }

  #reportDownload(isDownloading: boolean): void {
    if (this.#isDownloading === isDownloading) return;
    this.#isDownloading = isDownloading;
    if (isDownloading) this.#report('download', 'Downloading');
    else this.#report('paused', 'The browser has stopped the download.');
  }

  /** Reports no bytes, because the browser does not say how many its model has. */
  #report(stage: Parameters<ProgressBoard['report']>[0]['stage'], text: string): void {
    this.#parts.progress.report({
      model: BUILT_IN_MODEL,
      stage,
      text,
      loadedBytes: 0,
      totalBytes: 0,
    });
  }
}

function nothing(): void {
  // A listener for jobs without events, and the end of a turn that was never begun.
}
