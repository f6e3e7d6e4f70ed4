import * as v from 'valibot';
import type { RecalledEvent } from '../../core/operations/events/events.ts';
import type { KeptAnswer, MemoryJob } from '../../core/operations/jobs/jobs.ts';

/** Most answers of a client. */
const MAX_ANSWERS = 256;
/** Bytes of a client's answers. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Bytes of all answers. Clients come and go, because each page has a key of its own. */
const MAX_TOTAL_BYTES = 4 * MAX_BYTES;

const entrySchema = v.object({
  client: v.string(),
  values: v.map(v.string(), v.unknown()),
  bytes: v.number(),
});

type Entry = v.InferOutput<typeof entrySchema>;

/** Keeps a copy of each entry outside this worker, which may be replaced. Undefined: the entry is deleted. */
export type Mirror = (key: string, entry: object | undefined) => void;

/** The newest answers of each client, which it may refer to. Kept in memory only. */
export class KeptAnswers {
  /** By client and id; the oldest first. */
  readonly #entries = new Map<string, Entry>();
  readonly #mirror: Mirror;

  /** @param kept - what the worker before this one gave to the mirror */
  constructor(kept: ReadonlyMap<string, object>, mirror: Mirror) {
    this.#mirror = mirror;
    for (const [key, value] of kept) {
      const entry = v.safeParse(entrySchema, value);
      if (entry.success) this.#entries.set(key, entry.output);
    }
  }

  answer(job: MemoryJob): RecalledEvent {
    const { client, forget = [], remember, recall = [] } = job;
    for (const id of forget) this.#drop(`${client} ${id}`);
    // An answer that is too large alone is not kept, so that it displaces no others.
    if (remember && remember.bytes <= MAX_BYTES) this.#add(client, remember);
    return { type: 'recalled', values: recall.map((id) => this.#find(client, id)) };
  }

  #add(client: string, { id, values, bytes }: KeptAnswer): void {
    const key = `${client} ${id}`;
    const entry = { client, values, bytes };
    // What is kept again becomes the newest.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#mirror(key, entry);
    this.#dropOldest(client);
  }

  #find(client: string, id: string): unknown {
    for (const entry of this.#entries.values()) {
      if (entry.client === client && entry.values.has(id)) return entry.values.get(id);
    }
    return undefined;
  }

  #dropOldest(client: string): void {
    const own = { answers: 0, bytes: 0 };
    let total = 0;
    for (const [key, entry] of [...this.#entries].reverse()) {
      const isOwn = entry.client === client;
      total += entry.bytes;
      own.answers += isOwn ? 1 : 0;
      own.bytes += isOwn ? entry.bytes : 0;
      const isTooMuch = own.answers > MAX_ANSWERS || own.bytes > MAX_BYTES;
      if (total > MAX_TOTAL_BYTES || (isOwn && isTooMuch)) this.#drop(key);
    }
  }

  #drop(key: string): void {
    if (this.#entries.delete(key)) this.#mirror(key, undefined);
  }
}
