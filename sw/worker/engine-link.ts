import { inTime } from '../../src/core/async/in-time.ts';
import { deliveryOf } from '../../src/core/operations/delivered-answer.ts';
import { EngineClient } from '../../src/core/port/engine-client.ts';
import { serverError } from '../../src/core/errors/errors.ts';
import type { Engine } from '../../src/core/port/engine.ts';
import type { ApiOperation } from '../../src/core/operations/jobs/jobs.ts';
import { electionLock } from '../../src/core/realms/messages.ts';
import { surviving } from '../../src/core/port/survive.ts';
import { isLockHeld } from '../../src/core/port/web-lock.ts';
import { sendingImages } from './sending-images.ts';

/** How long the tabs may take to elect a leader and answer with a port, milliseconds. */
const PORT_WAIT_MS = 15_000;

/** How long a page may take that is about to call `start()`, milliseconds. Others never answer. */
const START_WAIT_MS = 2_000;

/** What the link needs of the service worker. */
export interface LinkOptions {
  /** Absolute URL of the folder that `v1` is in. */
  scope: string;
  /** Asks the pages for a port; returns how many there are. */
  askForPort(): Promise<number>;
}

/**
 * The service worker's connection to the engine: a port that the leader's page hands over. If there is
 * none, the link asks for it. A restarted service worker can ask again for everything that it holds.
 */
export class EngineLink implements Engine<ApiOperation> {
  readonly run = surviving<ApiOperation>((waiting) => this.#connected(waiting), deliveryOf);
  readonly #options: LinkOptions;
  #client: EngineClient | undefined;
  #wanted: PromiseWithResolvers<void> | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /** A leader's page has handed over a port. */
  accept(port: MessagePort, lock: string): void {
    const client = new EngineClient(sendingImages(port), lock);
    // Each page that comes to an engine which outlives its pages brings a port to it, which would stay open with it.
    if (this.#client?.reaches(lock)) client.close();
    // The old host may still run jobs: it keeps them, and new jobs go to the new one.
    else this.#client = client;
    this.#wanted?.resolve();
    this.#wanted = undefined;
  }

  /** The leader's engine cannot start: jobs that wait for a port fail. */
  refuse(why: string): void {
    this.#wanted?.reject(serverError('engine_error', why));
    this.#wanted = undefined;
  }

  async #connected(signal: AbortSignal): Promise<EngineClient> {
    if (!this.#client || this.#client.isGone) await this.#askForPort();
    signal.throwIfAborted();
    if (!this.#client) throw noEngine();
    return this.#client;
  }

  async #askForPort(): Promise<void> {
    this.#wanted ??= Promise.withResolvers();
    const { promise } = this.#wanted;
    // The port may be refused before anybody waits for it.
    promise.catch(() => undefined);
    const pages = await this.#options.askForPort();
    if (pages === 0) throw noEngine();
    const isLed = await isLockHeld(electionLock('leader', this.#options.scope));
    await inTime(promise, isLed ? PORT_WAIT_MS : START_WAIT_MS, noEngine);
  }
}

function noEngine() {
  return serverError('engine_error', 'No open page runs the engine: one must have called start().');
}
