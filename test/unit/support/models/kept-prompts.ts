import 'fake-indexeddb/auto';
import type { LoadModel } from '../../../../src/engine/llamacpp/messages.ts';
import { KeptPrompts } from '../../../../src/engine/kept-prompts/kept-prompts.ts';
import { PromptFolder } from '../../../../src/engine/kept-prompts/prompt-folder.ts';
import { promptsDatabase } from '../../../../src/engine/kept-prompts/prompts-database.ts';

/** A model of whose prompts some may be kept. */
export const KEPT: LoadModel['kept'] = { base: 'http://site/', model: 'm', version: 'v1' };

/** A file system in memory, as far as kept prompts need it. */
export class FakeDisk {
  /** The content of each file, by its name. */
  readonly files = new Map<string, Blob>();
  /** Bytes that fit onto it. */
  room = Infinity;

  /** The origin's private file system. */
  root(): Promise<FileSystemDirectoryHandle> {
    const folder = {
      getFileHandle: async (name: string, { create = false } = {}) => {
        if (!create && !this.files.has(name)) throw new DOMException('', 'NotFoundError');
        return {
          getFile: async () => this.files.get(name),
          createWritable: async () => this.#writable(name),
        };
      },
      removeEntry: async (name: string) => {
        if (!this.files.delete(name)) throw new DOMException('', 'NotFoundError');
      },
      keys: () => this.files.keys(),
    };
    const root = {
      getDirectoryHandle: async () => folder,
      removeEntry: async () => this.files.clear(),
    };
    return Promise.resolve(root as unknown as FileSystemDirectoryHandle);
  }

  /** Changes a byte of each file. */
  damage(): void {
    for (const [name, blob] of this.files) {
      const head = blob.slice(0, -1);
      this.files.set(name, new Blob([head, Uint8Array.of(0x7f)]));
    }
  }

  #writable(name: string) {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    return {
      write: async (bytes: Uint8Array<ArrayBuffer>) => {
        this.room -= bytes.length;
        if (this.room < 0) throw new DOMException('The disk is full.', 'QuotaExceededError');
        parts.push(bytes);
      },
      close: async () => void this.files.set(name, new Blob(parts)),
      abort: async () => undefined,
    };
  }
}

/** The kept prompts of a new site, on a disk in memory. */
export function keptOnFakeDisk(now?: () => number) {
  const disk = new FakeDisk();
  const scope = `/${crypto.randomUUID()}/`;
  let last: Promise<unknown> = Promise.resolve();
  const kept = new KeptPrompts({
    open: promptsDatabase(scope),
    folder: new PromptFolder(scope, () => disk.root()),
    alone: (work) => {
      const done = last.then(work);
      last = done.catch(() => undefined);
      return done;
    },
    ...(now && { now }),
  });
  return { disk, kept };
}
