import { warn } from '../../../core/errors/warn.ts';
import { delay } from '../../../core/async/delay.ts';
import { toErrorData } from '../../../core/errors/errors.ts';
import type { MemberFacts } from '../../../core/operations/jobs/store-jobs.ts';
import { divideText, USUAL_CHUNKS, type ChunkSize } from '../../../core/retrieval/divide-text.ts';
import { toHalfFloats } from '../../../core/retrieval/half-floats.ts';
import { postingsOf } from '../../../core/retrieval/postings.ts';
import type { DividedChunk } from '../../../core/operations/events/events.ts';
import type { FilesDatabase, Segment, StoredMember } from '../files-database.ts';
import { mostBytes } from '../file-store.ts';
import { inChange, isFull } from '../in-change.ts';
import { fileText } from '../reading/file-text.ts';
import type { ReadPdf } from '../reading/pdf/pdf-reader.ts';
import { Unreadable } from '../reading/unreadable.ts';
import { addUsage, revised } from '../removal.ts';
import type { RetrievalModels } from '../retrieval-models.ts';

/** Most chunks of a vector store. */
const MOST_CHUNKS = 100_000;
/** Texts whose vectors are computed in one go. */
const MOST_TEXTS = 16;
/** Characters that are divided into chunks in one go: a chunk never spans two of these sections. */
const SECTION = 50_000;
/** How often an outcome is stored again for which there was no space at all, milliseconds. */
const FULL_MS = 5_000;

interface IndexerParts {
  open: () => Promise<FilesDatabase>;
  models: Pick<RetrievalModels, 'divide' | 'vectors'>;
  readPdf: ReadPdf;
  /** Resolves when no request is being answered. */
  idle: () => Promise<void>;
  /** Bytes that the browser gives this site; undefined: it does not say. */
  quota: () => Promise<number | undefined>;
  /** Name of the Web Lock that one indexer of a site holds: two tabs never index at once. */
  lock: string;
}

/** A file's chunks, and what searches read of them. */
interface Indexed {
  texts: string[];
  segment: Segment;
  made: ChunkSize;
}

type Failure = NonNullable<MemberFacts['error']>;
type Outcome = Indexed | Failure;

/**
 * Indexes the files that wait in vector stores, one after the other, while no request is being answered. A file is
 * stored with its index in one transaction or not at all, so that whoever takes over begins with the files that are left.
 */
export class Indexer {
  readonly #parts: IndexerParts;
  #isRunning = false;
  #isWanted = false;

  constructor(parts: IndexerParts) {
    this.#parts = parts;
  }

  /** Begins to index, unless that runs already. */
  wake(): void {
    this.#isWanted = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    void navigator.locks
      .request(this.#parts.lock, () => this.#run())
      .catch(warn)
      .finally(() => {
        this.#isRunning = false;
        if (this.#isWanted) this.wake();
      });
  }

  async #run(): Promise<void> {
    const { signal } = new AbortController();
    while (this.#isWanted) {
      this.#isWanted = false;
      for (let next = await this.#next(); next; next = await this.#next()) {
        const outcome = await this.#index(next, signal).catch(failureOf);
        await this.#keep(next, outcome, signal);
      }
    }
  }

  async #next(): Promise<StoredMember | undefined> {
    return (await this.#parts.open()).getFromIndex('members', 'status', 'in_progress');
  }

  async #index({ store, file, chunks }: StoredMember, signal: AbortSignal): Promise<Indexed> {
    const db = await this.#parts.open();
    const [facts, content] = await Promise.all([db.get('files', file), db.get('contents', file)]);
    const { embedder = null } = (await db.get('stores', store)) ?? {};
    await this.#parts.idle();
    const bytes = new Blob(content ? [content] : []);
    const text = await fileText(facts?.filename ?? '', bytes, this.#parts.readPdf, signal);
    const divided = await this.#divide(embedder, text, chunks, signal);
    const texts = divided.chunks.map((chunk) => chunk.text);
    const pieces = divided.chunks.flatMap((chunk, index) =>
      chunk.pieces.map((piece) => ({ piece, index })),
    );
    const read = pieces.map(({ piece }) => piece);
    const vectors = embedder === null ? [] : await this.#vectors(embedder, read, signal);
    return {
      texts,
      made: divided.size,
      segment: {
        ...postingsOf(texts),
        vectors: joined(vectors),
        chunkOf: Uint32Array.from(pieces, ({ index }) => index),
      },
    };
  }

  async #vectors(embedder: string, texts: string[], signal: AbortSignal): Promise<Uint16Array[]> {
    const vectors: Uint16Array[] = [];
    while (vectors.length < texts.length) {
      await this.#parts.idle();
      const some = texts.slice(vectors.length, vectors.length + MOST_TEXTS);
      const found = await this.#parts.models.vectors(embedder, some, 'document', signal);
      vectors.push(...found.map(toHalfFloats));
    }
    return vectors;
  }

  async #divide(
    embedder: string | null,
    text: string,
    size: ChunkSize | undefined,
    signal: AbortSignal,
  ): Promise<{ chunks: DividedChunk[]; size: ChunkSize }> {
    if (embedder === null) {
      const wanted = size ?? USUAL_CHUNKS;
      // Most tokenizers make about one token of four characters.
      const texts = divideText(text, wanted, (piece) => Math.ceil(piece.length / 4));
      return { chunks: texts.map((each) => ({ text: each, pieces: [] })), size: wanted };
    }
    const chunks: DividedChunk[] = [];
    let made = size ?? USUAL_CHUNKS;
    for (const section of sectionsOf(text)) {
      await this.#parts.idle();
      const divided = await this.#parts.models.divide(embedder, section, size, signal);
      chunks.push(...divided.chunks);
      made = divided.size;
    }
    return { chunks, size: made };
  }

  /** Stores the outcome, as soon as there is space for it or for its failure. */
  async #keep(member: StoredMember, outcome: Outcome, signal: AbortSignal): Promise<void> {
    if (await this.#hasStored(member, outcome)) return;
    console.warn('slashv1: The disk is full. A file waits for space before it can be searched.');
    do await delay(FULL_MS, signal);
    while (!(await this.#hasStored(member, outcome)));
  }

  /** Stores the outcome; if that does not fit, that it does not. @returns false: not even that fits */
  async #hasStored(member: StoredMember, outcome: Outcome): Promise<boolean> {
    try {
      await this.#store(member, outcome).catch((error: unknown) =>
        this.#store(member, failureOf(error)),
      );
      return true;
    } catch (error) {
      if (isFull(error)) return false;
      throw error;
    }
  }

  /** Stores the outcome, if the file still waits for it: it may have been deleted or cancelled meanwhile. */
  async #store(
    { store, file, owner, createdAt, maxBytes }: StoredMember,
    outcome: Outcome,
  ): Promise<void> {
    const most = await mostBytes(this.#parts.quota, maxBytes);
    await inChange(this.#parts.open, async (transaction) => {
      const members = transaction.objectStore('members');
      const [member, found, usage] = await Promise.all([
        members.get([store, file]),
        transaction.objectStore('stores').get(store),
        transaction.objectStore('usage').getAll(),
      ]);
      if (member?.status !== 'in_progress' || member.createdAt !== createdAt || !found) return;
      const fail = (error: Failure) => members.put({ ...member, status: 'failed', error });
      if ('code' in outcome) return void (await fail(outcome));
      const { texts, segment, made } = outcome;
      const chunks = found.chunks + texts.length;
      const bytes = bytesOf(outcome);
      const total = usage.reduce((sum, each) => sum + each.bytes, bytes);
      const message = tooMuch({ chunks, total, most });
      if (message !== undefined) return void (await fail({ code: 'server_error', message }));
      await members.put({ ...member, status: 'completed', bytes, made, chunkCount: texts.length });
      await transaction.objectStore('chunks').put(texts, [store, file]);
      await transaction.objectStore('segments').put(segment, [store, file]);
      const indexed = revised({ ...found, chunks, bytes: found.bytes + bytes });
      await transaction.objectStore('stores').put(indexed);
      await addUsage(transaction, owner, { bytes });
    });
  }
}

/** Why an index is not stored; undefined: it may be. */
function tooMuch(of: { chunks: number; total: number; most: number }): string | undefined {
  if (of.chunks > MOST_CHUNKS) return `A vector store may have ${MOST_CHUNKS} chunks.`;
  if (of.total <= of.most) return undefined;
  return `Files and their indexes may take ${Math.floor(of.most)} bytes together: delete files.`;
}

function failureOf(error: unknown): Failure {
  if (error instanceof Unreadable) return { code: error.code, message: error.message };
  return { code: 'server_error', message: toErrorData(error).message };
}

function bytesOf({ texts, segment }: Indexed): number {
  const arrays = [segment.vectors, segment.chunkOf, segment.terms, segment.starts, segment.entries];
  const index = arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return texts.reduce((sum, { length }) => sum + length, index);
}

function joined(vectors: readonly Uint16Array[]): Uint16Array<ArrayBuffer> {
  const length = vectors[0]?.length ?? 0;
  const all = new Uint16Array(vectors.length * length);
  for (const [at, vector] of vectors.entries()) all.set(vector, at * length);
  return all;
}

/** Parts of a text that are not too long, cut after lines. */
function* sectionsOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const most = start + SECTION;
    const line = most < text.length ? text.lastIndexOf('\n', most) + 1 : text.length;
    const end = line > start ? line : most;
    yield text.slice(start, end);
    start = end;
  }
}
