import { unwrap } from 'idb';
import { CatalogReader } from './catalog.ts';
import type { Database } from '../database/database.ts';
import { isInstalled, type CatalogEntry } from './catalog-entry.ts';
import { isOfNewerBuild, readEntry } from './stored-entry.ts';
import {
  offersRevision,
  type DownloadPlan,
  type Installation,
  type Stop,
  type Variant,
} from './variant.ts';

/** The kind of list that names a model: the site's list of packs, or the engines' lists of models on the hub. */
type SourceKind = Variant['source']['kind'];

/** Facts about a model that are known once one of its variants is installed. */
export interface Installed {
  variant: Variant & { installed: Installation };
  features: string[];
}

/** How a page wants a model to be loaded. */
export type Wanted = Pick<CatalogEntry, 'wantedContext' | 'wantedKvCacheType'>;

/** Facts that are learnt about a variant after it is in the catalog. */
export type Learnt = Pick<Variant, 'bytes' | 'measured'> & { license?: string };

/** The catalog for the engine worker, which alone changes it. */
export class CatalogStore extends CatalogReader<Database> {
  /** The unfinished download of a model, if there is one. */
  async plan(id: string): Promise<DownloadPlan | undefined> {
    return (await this.open()).get('plans', id);
  }

  /** Model id → its unfinished download. */
  async plans(): Promise<Map<string, DownloadPlan>> {
    const { store } = (await this.open()).transaction('plans');
    const [ids, plans] = await Promise.all([store.getAllKeys(), store.getAll()]);
    return new Map(plans.map((plan, index) => [ids[index] ?? '', plan]));
  }

  /** Model id → when it was last used, Unix milliseconds. */
  async uses(): Promise<Map<string, number>> {
    const { store } = (await this.open()).transaction('uses');
    const [ids, times] = await Promise.all([store.getAllKeys(), store.getAll()]);
    return new Map(times.map((time, index) => [ids[index] ?? '', time]));
  }

  async put(entry: CatalogEntry): Promise<void> {
    await (await this.open()).put('models', entry);
  }

  /**
   * Puts a model into the catalog, unless it is there already.
   *
   * @param ids - the ids that it may have, the best first; at least one must be free or its own
   * @param isSame - whether an entry with one of these ids is the same model
   * @returns the entry as it is stored now; undefined if other models have all ids
   */
  async add(
    entry: CatalogEntry,
    ids: readonly string[],
    isSame: (other: CatalogEntry) => boolean,
  ): Promise<CatalogEntry | undefined> {
    const transaction = (await this.open()).transaction('models', 'readwrite');
    const stored = await Promise.all(ids.map((id) => transaction.store.get(id)));
    const same = stored.map(readEntry).find((other) => other && isSame(other));
    const id = ids.find((_, index) => stored[index] === undefined);
    const added = id === undefined || same ? undefined : { ...entry, id };
    if (added) await transaction.store.put(added);
    await transaction.done;
    return same ?? added;
  }

  /** Forgets a model. */
  async delete(id: string): Promise<void> {
    await (await this.open()).delete('models', id);
  }

  /** Records that a download has begun. */
  async begin(id: string, plan: DownloadPlan): Promise<void> {
    await (await this.open()).put('plans', plan, id);
  }

  /** Records why a download stopped. */
  async stop(id: string, stopped: Stop): Promise<void> {
    const { store, done } = (await this.open()).transaction('plans', 'readwrite');
    const plan = await store.get(id);
    if (plan) await store.put({ ...plan, stopped }, id);
    await done;
  }

  /** Records what was learnt about a variant and its model. */
  async learn(id: string, variant: string, { license, ...facts }: Learnt): Promise<void> {
    await this.#change(id, (entry) => ({
      ...entry,
      ...(license !== undefined && { license }),
      variants: entry.variants.map((each) => (each.id === variant ? { ...each, ...facts } : each)),
    }));
  }

  /**
   * Records how a page wants a model to be loaded.
   *
   * @returns whether that is another way than before
   */
  async want(id: string, wanted: Wanted): Promise<boolean> {
    let isNew = false;
    await this.#change(id, (entry) => {
      const changed = { ...entry, ...wanted };
      isNew =
        changed.wantedContext !== entry.wantedContext ||
        changed.wantedKvCacheType !== entry.wantedKvCacheType;
      return isNew ? changed : undefined;
    });
    return isNew;
  }

  /** @param change - undefined: the entry stays as it is. An entry of a newer build stays, too. */
  async #change(
    id: string,
    change: (entry: CatalogEntry) => CatalogEntry | undefined,
  ): Promise<void> {
    const { store, done } = (await this.open()).transaction('models', 'readwrite');
    const stored = await store.get(id);
    const entry = isOfNewerBuild(stored) ? undefined : readEntry(stored);
    const changed = entry && change(entry);
    if (changed) await store.put(changed);
    await done;
  }

  /** Forgets an unfinished download. */
  async endPlan(id: string): Promise<void> {
    await (await this.open()).delete('plans', id);
  }

  /**
   * Records that a variant is in the weight store.
   *
   * @param entry - the variant's entry when the download began: the catalog may have changed since
   * @returns the entry as it is stored now
   */
  async finish(entry: CatalogEntry, { variant, features }: Installed): Promise<CatalogEntry> {
    const db = await this.open();
    const transaction = db.transaction(['models', 'plans'], 'readwrite');
    const models = transaction.objectStore('models');
    // The lists may have changed the entry during the download.
    const current = readEntry(await models.get(entry.id)) ?? entry;
    const finished = { ...installedIn(current, entry, variant), features };
    await models.put(finished);
    await transaction.objectStore('plans').delete(entry.id);
    await transaction.done;
    return finished;
  }

  /** Records that the model is being used now. */
  async touch(id: string): Promise<void> {
    await (await this.open()).put('uses', Date.now(), id);
  }

  /**
   * Brings the catalog up to date in one transaction. Installed files stay: if the new entry names other files,
   * it becomes the `update` of the old one.
   *
   * @param fresh - all entries of the lists of this kind
   */
  async replace(kind: SourceKind, fresh: CatalogEntry[]): Promise<void> {
    const transaction = (await this.open()).transaction('models', 'readwrite');
    const stored = await transaction.store.getAll();
    // Entries of newer builds stay as they are: this build would lose the parts that it cannot read.
    const foreign = new Set(stored.filter(isOfNewerBuild).map(({ id }) => id));
    const own = stored.filter(({ id }) => !foreign.has(id));
    const entries = own.map(readEntry).filter((entry) => entry !== undefined);
    const known = new Map(entries.map((entry) => [entry.id, entry]));
    const ids = new Set(fresh.map(({ id }) => id));
    const gone = entries.filter(
      (old) => kindOf(old) === kind && !ids.has(old.id) && !isInstalled(old) && !old.added,
    );
    const listed = fresh.filter(({ id }) => !foreign.has(id));
    const store = unwrap(transaction.store);
    for (const { id } of gone) store.delete(id);
    for (const { update, ...old } of entries) {
      if (update && kind === 'pack' && !ids.has(old.id)) store.put(old);
    }
    // A first visit writes 150 entries. We need no promise for each: the transaction reports a failure.
    for (const entry of changes(kind, listed, known)) store.put(entry);
    await transaction.done;
  }
}

function kindOf({ variants, update }: CatalogEntry): SourceKind {
  if (update) return 'pack';
  const kinds = variants.map(({ source }) => source.kind);
  return (['pack', 'browser'] as const).find((kind) => kinds.includes(kind)) ?? 'hub';
}

/**
 * The entry of a model after one of its variants was installed.
 *
 * @param current - the entry as it is stored
 * @param entry - the entry when the installation began
 */
function installedIn(
  current: CatalogEntry,
  entry: CatalogEntry,
  variant: Installed['variant'],
): CatalogEntry {
  const offered = { ...wishOf(current), ...(current.update ?? current) };
  const isOffered = offered.variants.some(
    (each) => each.id === variant.id && offersRevision(each, variant.installed.revision),
  );
  if (isOffered || kindOf(offered) !== 'pack') {
    return { ...offered, variants: withInstalled(offered.variants, variant) };
  }
  // The site offers other files by now, or files of the old revision were repaired.
  return { ...entry, variants: withInstalled(entry.variants, variant), update: offered };
}

/** The variants, with the installation recorded. The installed variant is appended if it is not among them. */
function withInstalled(variants: Variant[], variant: Installed['variant']): Variant[] {
  const { id, installed, bytes } = variant;
  if (!variants.some((each) => each.id === id)) return [...variants, variant];
  const learnt = { installed, ...(bytes !== undefined && { bytes }) };
  return variants.map((each) => (each.id === id ? { ...each, ...learnt } : each));
}

/**
 * The entries that differ from the stored ones: none on most visits. Writing all of the hub's models
 * at every start took 60 ms.
 */
function changes(
  kind: SourceKind,
  fresh: CatalogEntry[],
  known: Map<string, CatalogEntry>,
): CatalogEntry[] {
  return fresh.flatMap((entry) => {
    const old = known.get(entry.id);
    // The site's own pack wins over the hub's entry of the same name.
    if (old && kindOf(old) === 'pack' && kind !== 'pack') return [];
    const next = old ? merged(kind, entry, old) : entry;
    return JSON.stringify(next) === JSON.stringify(old) ? [] : [next];
  });
}

/** The fresh entry. If the installed files are others, the old entry with the fresh one as its update. */
function merged(kind: SourceKind, fresh: CatalogEntry, old: CatalogEntry): CatalogEntry {
  const next = keepInstalled(kind, fresh, old);
  const revisions = new Set(next.variants.map(({ installed }) => installed?.revision));
  const isKept = old.variants.every(({ installed }) => revisions.has(installed?.revision));
  return kind !== 'pack' || isKept ? next : { ...old, update: next };
}

/** The fresh entry, with what was learnt when variants of the old one were installed. */
function keepInstalled(kind: SourceKind, fresh: CatalogEntry, old: CatalogEntry): CatalogEntry {
  const ids = new Set(fresh.variants.map(({ id }) => id));
  // A pack replaces everything known by its name. The hub still has variants that its list dropped.
  const dropped =
    kind === 'hub' ? old.variants.filter((each) => each.installed && !ids.has(each.id)) : [];
  const kept = fresh.variants.map((variant) => keepInstallation(variant, old.variants));
  const variants = [...kept, ...dropped];
  const { features } = old;
  const learnt = features && variants.some(({ installed }) => installed) && { features };
  return { ...learnt, ...wishOf(old), ...fresh, variants };
}

/** What a page has asked for, which no list knows. */
function wishOf({ wantedContext, wantedKvCacheType }: CatalogEntry): Wanted {
  return {
    ...(wantedContext !== undefined && { wantedContext }),
    ...(wantedKvCacheType && { wantedKvCacheType }),
  };
}

function keepInstallation(fresh: Variant, olds: Variant[]): Variant {
  const old = olds.find(({ id }) => id === fresh.id);
  if (!old?.installed || !offersRevision(fresh, old.installed.revision)) return fresh;
  // The list knows the size only roughly, or not at all.
  const { bytes, measured, installed } = old;
  return {
    ...fresh,
    ...(bytes !== undefined && { bytes }),
    ...(measured && { measured }),
    installed,
  };
}
