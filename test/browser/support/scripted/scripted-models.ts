import { orAborted } from '../../../../src/core/async/or-aborted.ts';
import {
  invalidRequest,
  modelNotFound,
  notInstalled,
  serverError,
  type ApiError,
} from '../../../../src/core/errors/errors.ts';
import type { CatalogModel, Measurement } from '../../../../src/core/catalog/catalog-model.ts';
import {
  isEmbedded,
  isInstalled,
  type CatalogEntry,
} from '../../../../src/core/catalog/catalog-entry.ts';
import { CatalogStore } from '../../../../src/core/catalog/catalog-store.ts';
import { chooseVariant } from '../../../../src/core/fit/choose-variant.ts';
import type { Database, FileKey } from '../../../../src/core/database/database.ts';
import type { Device } from '../../../../src/core/fit/device-fit.ts';
import { WeightReader } from '../../../../src/core/weights/weight-reader.ts';
import { listModels } from '../../../../src/engine/host/model-list.ts';
import { ProgressBoard } from '../../../../src/engine/scheduling/progress-board.ts';
import { stopOf } from '../../../../src/engine/download/transfer/download-report.ts';
import type { GivenFile } from '../../../../src/core/operations/jobs/managing-jobs.ts';
import { wantedBy } from '../../../../src/engine/road/load-wishes.ts';
import type { JobOf } from '../../../../src/core/operations/jobs/jobs.ts';
import { FILE, foundEntry, givenEntry } from './added-entries.ts';
import { Gate } from './gate.ts';
import type { Scenario } from './scenario.ts';

/** Counts the bytes of each model's file that have arrived. No bytes are stored. */
class ReceivedBytes extends WeightReader {
  readonly bytes = new Map<string, number>();

  override paths(): Promise<Set<string>> {
    return Promise.resolve(new Set());
  }

  override received([model]: FileKey): Promise<number> {
    return Promise.resolve(this.bytes.get(model) ?? 0);
  }
}

/**
 * The models of a scripted engine. The catalog is the real one, in IndexedDB, and the list is made as in the real
 * engine. Downloads and loads transfer no bytes.
 */
export class ScriptedModels {
  readonly progress = new ProgressBoard();
  readonly measuring = new Gate();
  readonly listing = new Gate();
  /** Ids of models whose files lie outside of the browser → whether the page may read them. */
  readonly permissions = new Map<string, PermissionState>();
  /** How many measurements had to be quick. */
  quickMeasurements = 0;
  /** What the hub was asked for: `inspect o/model`. */
  readonly asked: string[] = [];
  /** Why the hub cannot be searched; undefined: it can. */
  searchFails: string | undefined;
  readonly #scenario: Scenario;
  readonly #catalog: CatalogStore;
  readonly #device: Device;
  readonly #received: ReceivedBytes;
  readonly #loaded = new Set<string>();
  /** Downloads under way. */
  readonly #downloads = new Map<string, { done: Promise<void>; stopping: AbortController }>();
  /** Where downloads of models wait. */
  readonly #held = new Map<string, { bytes: number; gate: Gate }>();
  /** Why the next downloads of models fail. */
  readonly #failures = new Map<string, ApiError>();

  constructor(scenario: Scenario, device: Device, open: () => Promise<Database>) {
    this.#scenario = scenario;
    this.#device = device;
    this.#catalog = new CatalogStore(open);
    this.#received = new ReceivedBytes(open);
    if (scenario.isListHeld) this.listing.shut();
    for (const [model, bytes] of Object.entries(scenario.held)) this.holdDownload(model, bytes);
  }

  async fillCatalog(): Promise<void> {
    const known = new Set((await this.#catalog.list()).map(({ id }) => id));
    for (const entry of this.#scenario.catalog) {
      if (!known.has(entry.id)) await this.#catalog.put(entry);
    }
  }

  /** What the catalog has. */
  entries(): Promise<CatalogEntry[]> {
    return this.#catalog.list();
  }

  /** Makes downloads of the model wait when they have this many bytes. */
  holdDownload(model: string, bytes: number): void {
    const gate = new Gate();
    gate.shut();
    this.#held.set(model, { bytes, gate });
  }

  letDownload(model: string): void {
    this.#held.get(model)?.gate.open();
    this.#held.delete(model);
  }

  /** Makes the next download of the model fail. */
  failDownload(
    model: string,
    message: string,
    code: 'engine_error' | 'storage_full' = 'engine_error',
  ): void {
    this.#failures.set(model, serverError(code, message));
  }

  async list(): Promise<CatalogModel[]> {
    await this.listing.opened;
    const models = await listModels({
      catalog: this.#catalog,
      weights: this.#received,
      progress: this.progress,
      device: () => Promise.resolve(this.#device),
    });
    return models.map((model) => {
      const permission = this.permissions.get(model.id);
      return permission ? { ...model, permission } : model;
    });
  }

  async install(id: string, signal: AbortSignal): Promise<void> {
    const entry = await this.#entry(id);
    if (isInstalled(entry)) return;
    const running = this.#downloads.get(id) ?? this.#begin(entry);
    await orAborted(running.done, signal);
  }

  pause(id: string): void {
    const reason = serverError('download_paused', `The download of '${id}' was paused.`);
    this.#downloads.get(id)?.stopping.abort(reason);
  }

  async remove(id: string): Promise<void> {
    const { done, stopping } = this.#downloads.get(id) ?? {};
    stopping?.abort(serverError('download_paused', `The model '${id}' was removed.`));
    await done?.catch(() => undefined);
    const entry = await this.#entry(id);
    await (entry.added ? this.#catalog.delete(id) : this.#catalog.put(uninstalled(entry)));
    await this.#catalog.endPlan(id);
    this.#received.bytes.delete(id);
    this.#loaded.delete(id);
    this.progress.reportEnd(id, 'unloaded', 'Removed');
  }

  /** Keeps what a load asks for, as the real engine does. */
  async want(job: JobOf<'load'>): Promise<void> {
    const entry = await this.#entry(job.model);
    const wanted = await wantedBy(job, entry, () => Promise.resolve(this.#device));
    if (wanted) await this.#catalog.want(job.model, wanted);
  }

  /** Loads a model. Downloads it first if it comes with the site or `autoInstall` is set. */
  async load(id: string, signal: AbortSignal, autoInstall = false): Promise<void> {
    if (this.#loaded.has(id)) return;
    const entry = await this.#entry(id);
    if (!isInstalled(entry)) {
      if (!isEmbedded(entry) && !autoInstall) throw notInstalled(id);
      await this.install(id, signal);
    }
    this.#report(id, 'load', 'Loading');
    await this.#catalog.touch(id);
    this.#loaded.add(id);
    this.#report(id, 'ready', 'Ready');
  }

  unload(id: string): void {
    this.#loaded.delete(id);
    this.#report(id, 'unloaded', 'Unloaded');
  }

  /** Adds a GGUF file, or a model that the hub's search has found. */
  async add(source: string, files: readonly GivenFile[] = []): Promise<string> {
    if (await this.#catalog.get(source)) return source;
    const [given] = files;
    const file = given && 'getFile' in given ? await given.getFile() : given;
    if (file && !file.name.endsWith('.gguf')) {
      throw invalidRequest(`'${file.name}' is not a .gguf file.`, 'model');
    }
    this.asked.push(`add ${source}`);
    const entry = file ? givenEntry(file) : foundEntry(source);
    await this.#catalog.put(entry);
    if (file) await this.install(entry.id, new AbortController().signal);
    return entry.id;
  }

  /** Asks the hub for facts about a model that the catalog lacks. */
  async inspect(id: string): Promise<CatalogModel[]> {
    this.asked.push(`inspect ${id}`);
    const entry = await this.#entry(id);
    const learnt = this.#scenario.learnt[id];
    if (learnt) await this.#catalog.learn(id, chooseVariant(entry, this.#device).id, learnt);
    return (await this.list()).filter((model) => model.id === id);
  }

  search(query: string, task: string) {
    this.asked.push(`search ${query}`);
    if (this.searchFails !== undefined) throw serverError('engine_error', this.searchFails);
    const words = query.toLowerCase();
    return this.#scenario.hub.filter(
      (found) => found.task === task && found.id.toLowerCase().includes(words),
    );
  }

  /** @param isKept - whether the list has the result from now on */
  async measure(id: string, signal: AbortSignal, isKept: boolean): Promise<Measurement> {
    await orAborted(this.measuring.opened, signal);
    const entry = await this.#entry(id);
    const { speed: writtenTokensPerSecond } = this.#scenario;
    const measured = { at: Date.now(), readTokensPerSecond: 812.5, writtenTokensPerSecond };
    if (!isKept) this.quickMeasurements += 1;
    else await this.#catalog.learn(id, chooseVariant(entry, this.#device).id, { measured });
    return measured;
  }

  async #entry(id: string): Promise<CatalogEntry> {
    const entry = await this.#catalog.get(id);
    if (!entry) throw modelNotFound(id);
    return entry;
  }

  #begin(entry: CatalogEntry) {
    const stopping = new AbortController();
    const done = this.#download(entry, stopping.signal).finally(() =>
      this.#downloads.delete(entry.id),
    );
    const download = { done, stopping };
    this.#downloads.set(entry.id, download);
    return download;
  }

  async #download(entry: CatalogEntry, signal: AbortSignal): Promise<void> {
    const { id, features = [] } = entry;
    const variant = chooseVariant(entry, this.#device);
    const { source, bytes = this.#scenario.learnt[id]?.bytes ?? 0 } = variant;
    const revision = source.kind === 'pack' ? source.manifest.revision : '1';
    const files = [{ path: FILE, size: bytes, sha256: '', url: `https://hub.test/${id}` }];
    await this.#catalog.begin(id, { variant: variant.id, revision, files });
    try {
      const failure = this.#failures.get(id);
      this.#failures.delete(id);
      if (failure) throw failure;
      const held = this.#held.get(id);
      this.#receive(id, held?.bytes ?? bytes, bytes);
      await orAborted(Promise.resolve(held?.gate.opened), signal);
      const installed = { ...variant, bytes, installed: { revision, files } };
      await this.#catalog.finish(entry, { variant: installed, features });
      this.#report(id, 'installed', 'Downloaded');
    } catch (error) {
      const stop = stopOf(error, signal);
      await this.#catalog.stop(id, stop);
      if (stop.why === 'paused') this.#report(id, 'paused', 'Download paused');
      else {
        // The server has lost the file, so the next attempt makes a new plan.
        await this.#catalog.endPlan(id);
        this.#report(id, 'failed', stop.message);
      }
      throw error;
    }
  }

  #receive(model: string, loadedBytes: number, totalBytes: number): void {
    this.#received.bytes.set(model, loadedBytes);
    const progress = { model, loadedBytes, totalBytes, text: 'Downloading' };
    this.progress.report({ ...progress, stage: 'download' });
  }

  #report(
    model: string,
    stage: 'installed' | 'paused' | 'failed' | 'load' | 'ready' | 'unloaded',
    words: string,
  ): void {
    this.progress.report({ model, stage, loadedBytes: 0, totalBytes: 0, text: words });
  }
}

function uninstalled(entry: CatalogEntry): CatalogEntry {
  const variants = entry.variants.map((variant) => {
    const { installed: _, measured: __, ...rest } = variant;
    return rest;
  });
  return { ...entry, variants };
}
