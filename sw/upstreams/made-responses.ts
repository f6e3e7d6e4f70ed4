import * as v from 'valibot';
import { onlyEvent, type Engine } from '../../src/core/port/engine.ts';
import type { MemoryJob } from '../../src/core/operations/jobs.ts';
import { DEVICE } from '../../src/core/realms/routes.ts';

const madeSchema = v.object({ upstream: v.string() });

/** About how much memory one note takes, bytes. */
const BYTES = 512;

/**
 * Remembers where the responses of one client were made. For a response of an upstream, its id and the upstream's name
 * are kept beside the device's own responses, in the memory of the leading tab.
 */
export class MadeResponses {
  readonly #engine: Engine<'memory'>;
  readonly #client: string;

  /** @param client - id of its key */
  constructor(engine: Engine<'memory'>, client: string) {
    this.#engine = engine;
    this.#client = client;
  }

  /** Never fails: without an engine, the response is not remembered. */
  async note(id: string, upstream: string): Promise<void> {
    const values = new Map([[id, { upstream }]]);
    await this.#exchange({ remember: { id, values, bytes: BYTES } }).catch(() => undefined);
  }

  async forget(id: string): Promise<void> {
    await this.#exchange({ forget: [id] }).catch(() => undefined);
  }

  /** `device`, or the name of an upstream; undefined: it is not known. */
  async placeOf(id: string): Promise<string | undefined> {
    const value = await this.#exchange({ recall: [id] });
    const made = v.safeParse(madeSchema, value);
    if (made.success) return made.output.upstream;
    return value === undefined ? undefined : DEVICE;
  }

  async #exchange(request: Omit<MemoryJob, 'op' | 'client'>): Promise<unknown> {
    const job: MemoryJob = { op: 'memory', client: this.#client, ...request };
    const { values } = await onlyEvent(this.#engine, job, new AbortController().signal);
    return values[0];
  }
}
