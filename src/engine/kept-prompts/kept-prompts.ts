import { hex, sha256Hex } from '../../core/text/sha256.ts';
import { DamagedFile, type PromptFolder, type TakePiece } from './prompt-folder.ts';
import type { KeptPrompt, PromptsDatabase, StateOf } from './prompts-database.ts';

const HOUR_MS = 3_600_000;
/** How long a change waits for another one, milliseconds. What takes longer hangs. */
const PATIENCE_MS = 30_000;
/** Fewer tokens are computed about as soon as they are read from a disk. */
export const LEAST_KEPT = 256;
/** Most bytes of all kept prompts, unless the site names another number. */
const MOST_BYTES = 1024 ** 3;

/** Does work while nobody else changes the kept prompts of this site. */
export type Alone = <T>(work: () => Promise<T>) => Promise<T>;

interface KeptPromptsParts {
  open: () => Promise<PromptsDatabase>;
  folder: PromptFolder;
  alone: Alone;
  /** Unix milliseconds. */
  now?: () => number;
}

/** A prompt whose state is to be kept. */
export interface NewPrompt {
  of: StateOf;
  owner: string;
  tokens: readonly number[];
  bytes: number;
  hours: number;
  /** Most bytes of all kept prompts; undefined: MOST_BYTES. */
  maxBytes?: number | undefined;
}

/** Does work while this worker or tab holds the site's Web Lock. @param scope - path of the site's folder */
export function aloneIn(scope: string): Alone {
  return async (work) => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    return navigator.locks.request(`slashv1:prompts:${scope}`, { signal }, work);
  };
}

/** States of KV caches on disk, for prompts that callers want to be kept. */
export class KeptPrompts {
  readonly #open: () => Promise<PromptsDatabase>;
  readonly #folder: PromptFolder;
  readonly #alone: Alone;
  readonly #now: () => number;

  constructor({ open, folder, alone, now = Date.now }: KeptPromptsParts) {
    this.#open = open;
    this.#folder = folder;
    this.#alone = alone;
    this.#now = now;
  }

  /** The longest kept prompt that an owner's prompt goes beyond. Those of other versions of the model are deleted. */
  async find(
    of: StateOf,
    owner: string,
    prompt: readonly number[],
  ): Promise<KeptPrompt | undefined> {
    const all = await (await this.#open()).getAllFromIndex('prompts', 'model', of.model);
    await this.#drop(all.filter(({ version }) => version !== of.version));
    const usable = all
      .filter((kept) => kept.version === of.version && kept.build === of.build)
      .filter((kept) => kept.owner === owner && kept.expiresAt > this.#now())
      .filter(({ tokens }) => tokens < prompt.length)
      .toSorted((a, b) => b.tokens - a.tokens);
    for (const kept of usable) {
      if (kept.prefix !== (await hashOf(prompt.slice(0, kept.tokens)))) continue;
      return this.#use(kept.id, 0);
    }
    return undefined;
  }

  /** Keeps a prompt for longer, if it is kept. @returns whether it is */
  async renew(
    of: StateOf,
    owner: string,
    tokens: readonly number[],
    hours: number,
  ): Promise<boolean> {
    const { id } = await nameOf(of, owner, tokens);
    return (await this.#use(id, hours)) !== undefined;
  }

  /** The pieces of a kept prompt's state. If one is damaged, the prompt is no longer kept. @throws DamagedFile */
  async *read(kept: KeptPrompt): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    try {
      yield* this.#folder.read(kept.id, kept.pieces);
    } catch (error) {
      if (error instanceof DamagedFile) await this.#drop([kept]);
      throw error;
    }
  }

  /**
   * Keeps a prompt, in the place of those that were not used for longest.
   *
   * @param take - gives the pieces of its state
   * @returns false if it alone is too large
   */
  async keep(prompt: NewPrompt, take: TakePiece): Promise<boolean> {
    const { of, owner, tokens, bytes, hours, maxBytes = MOST_BYTES } = prompt;
    if (bytes > maxBytes) return false;
    const { id, prefix } = await nameOf(of, owner, tokens);
    return this.#alone(async () => {
      const others = (await this.#all()).filter((each) => each.id !== id);
      await this.#drop(tooMany(others, maxBytes - bytes));
      try {
        const pieces = await this.#folder.write(id, take);
        const usedAt = this.#now();
        const expiresAt = usedAt + hours * HOUR_MS;
        const length = tokens.length;
        const kept = { ...of, id, owner, prefix, tokens: length, bytes, pieces, usedAt, expiresAt };
        await (await this.#open()).put('prompts', kept);
      } catch (error) {
        await this.#folder.remove(id).catch(() => undefined);
        throw error;
      }
      return true;
    });
  }

  /** How much is kept. */
  async size(): Promise<{ prompts: number; bytes: number }> {
    const all = await this.#all();
    return { prompts: all.length, bytes: all.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  /** Deletes all kept prompts. */
  async clear(): Promise<void> {
    await this.#alone(async () => {
      await (await this.#open()).clear('prompts');
      await this.#folder.clear();
    });
  }

  /** Deletes a model's kept prompts. */
  async removeModel(model: string): Promise<void> {
    await this.#alone(async () => {
      await this.#drop(await (await this.#open()).getAllFromIndex('prompts', 'model', model));
    });
  }

  /** Deletes what has expired or nobody can use any more, and what was not written to its end. */
  async sweep(isWanted: (kept: KeptPrompt) => boolean): Promise<void> {
    await this.#alone(async () => {
      const all = await this.#all();
      const isOver = (kept: KeptPrompt) => kept.expiresAt <= this.#now() || !isWanted(kept);
      await this.#drop(all.filter(isOver));
      const known = new Set(all.map(({ id }) => id));
      for (const id of await this.#folder.list()) if (!known.has(id)) await this.#folder.remove(id);
    });
  }

  async #all(): Promise<KeptPrompt[]> {
    return (await this.#open()).getAll('prompts');
  }

  /** Notes that a prompt is used, and keeps it for longer. Nothing comes back that was deleted meanwhile. */
  async #use(id: string, hours: number): Promise<KeptPrompt | undefined> {
    const { store, done } = (await this.#open()).transaction('prompts', 'readwrite');
    const kept = await store.get(id);
    const usedAt = this.#now();
    if (!kept || kept.expiresAt <= usedAt) return undefined;
    const expiresAt = Math.max(kept.expiresAt, usedAt + hours * HOUR_MS);
    await store.put({ ...kept, usedAt, expiresAt });
    await done;
    return { ...kept, usedAt, expiresAt };
  }

  /** Deletes the facts first: without them, nobody reads the file. */
  async #drop(gone: readonly KeptPrompt[]): Promise<void> {
    for (const { id } of gone) {
      await (await this.#open()).delete('prompts', id);
      await this.#folder.remove(id);
    }
  }
}

/** What was not used for longest, until the others fit. */
function tooMany(all: readonly KeptPrompt[], most: number): KeptPrompt[] {
  let left = all.reduce((sum, { bytes }) => sum + bytes, 0);
  return all
    .toSorted((a, b) => a.usedAt - b.usedAt)
    .filter(({ bytes }) => {
      const isOne = left > most;
      if (isOne) left -= bytes;
      return isOne;
    });
}

/** The name of a state's file: no other state has it. */
async function nameOf(of: StateOf, owner: string, tokens: readonly number[]) {
  const prefix = await hashOf(tokens);
  const id = await sha256Hex(JSON.stringify([of.model, of.version, of.build, owner, prefix]));
  return { id, prefix };
}

async function hashOf(tokens: readonly number[]): Promise<string> {
  return hex(await crypto.subtle.digest('SHA-256', Int32Array.from(tokens)));
}
