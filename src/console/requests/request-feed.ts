import { computed, signal } from '@preact/signals';
import type { ApiRequest, Slashv1 } from '../../index.ts';

/** Number of requests that are kept. Older ones are dropped. */
const MOST = 500;

/** The requests of all tabs, from the start of this one until it closes. */
export class RequestFeed {
  readonly isPaused = signal(false);
  readonly isRecording = signal(false);
  /** Whether recording is being switched on or off. */
  readonly isSwitching = signal(false);
  readonly #v1: Pick<Slashv1, 'requests'>;
  readonly #all = signal<ReadonlyMap<string, ApiRequest>>(new Map());
  /** What is shown while the feed is paused. */
  readonly #frozen = signal<ReadonlyMap<string, ApiRequest>>(new Map());
  #isOpen = false;
  #unwatch: Promise<() => void> | undefined;

  /** The newest first. */
  readonly shown = computed(() =>
    [...(this.isPaused.value ? this.#frozen : this.#all).value.values()].reverse(),
  );

  constructor(v1: Pick<Slashv1, 'requests'>) {
    this.#v1 = v1;
  }

  /** Begins to watch, unless it has begun already. */
  async open(): Promise<void> {
    if (this.#isOpen) return;
    this.#isOpen = true;
    await this.#watch();
  }

  pause(isPaused: boolean): void {
    this.#frozen.value = this.#all.value;
    this.isPaused.value = isPaused;
  }

  clear(): void {
    this.#all.value = new Map();
    this.#frozen.value = new Map();
  }

  /** Switches the recording of contents on or off. Switching it off deletes the recorded contents. */
  async record(isRecording: boolean): Promise<void> {
    this.isRecording.value = isRecording;
    this.isSwitching.value = true;
    if (!isRecording) {
      this.#all.value = new Map([...this.#all.value].map(([id, each]) => [id, bare(each)]));
      this.#frozen.value = this.#all.value;
    }
    try {
      await this.#watch();
    } finally {
      this.isSwitching.value = false;
    }
  }

  async #watch(): Promise<void> {
    const before = this.#unwatch;
    const contents = this.isRecording.value;
    this.#unwatch = this.#v1.requests.watch((request) => this.#take(request), { contents });
    try {
      await this.#unwatch;
    } catch (error) {
      this.#isOpen = false;
      throw error;
    } finally {
      (await before)?.();
    }
  }

  #take(request: ApiRequest): void {
    const all = new Map(this.#all.value);
    const known = all.get(request.id);
    all.set(request.id, this.isRecording.value ? { ...known, ...request } : bare(request));
    const [oldest] = all.keys();
    if (all.size > MOST && oldest !== undefined) all.delete(oldest);
    this.#all.value = all;
  }
}

function bare({ body: _body, answers: _answers, ...facts }: ApiRequest): ApiRequest {
  return facts;
}
