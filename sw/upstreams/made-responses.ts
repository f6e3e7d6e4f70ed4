import * as v from 'valibot';
import type { Engine } from '../../src/core/port/engine.ts';
import { memoryOf, type ClientMemory } from '../client-memory.ts';
import { DEVICE } from '../../src/core/realms/routes.ts';

const madeSchema = v.object({ upstream: v.string() });

/** About how much memory one note takes, bytes. */
const BYTES = 512;

/**
 * Remembers where the responses of one client were made. For a response of an upstream, its id and the upstream's name
 * are kept beside the device's own responses, in the memory of the leading tab.
 */
export class MadeResponses {
  readonly #memory: ClientMemory;

  /** @param client - id of its key */
  constructor(engine: Engine<'memory'>, client: string) {
    this.#memory = memoryOf(engine, client);
  }

  /** Never fails: without an engine, the response is not remembered. */
  async note(id: string, upstream: string): Promise<void> {
    const values = new Map([[id, { upstream }]]);
    await this.#memory({ remember: { id, values, bytes: BYTES } }).catch(() => undefined);
  }

  async forget(id: string): Promise<void> {
    await this.#memory({ forget: [id] }).catch(() => undefined);
  }

  /** `device`, or the name of an upstream; undefined: it is not known. */
  async placeOf(id: string): Promise<string | undefined> {
    const [value] = await this.#memory({ recall: [id] });
    const made = v.safeParse(madeSchema, value);
    if (made.success) return made.output.upstream;
    return value === undefined ? undefined : DEVICE;
  }
}
