import type { RunningJob } from '../road/running-job.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** A speech that is being spoken or is complete. Anyone can listen to it from its beginning. In memory only. */
export class Recording {
  readonly #chunks: Bytes[] = [];
  readonly #cancel: () => void;
  readonly #ended: Promise<void>;
  #listeners = 0;
  #state: 'running' | 'complete' | 'failed' = 'running';
  /** Settles with the next chunk or at the end. */
  #next = Promise.withResolvers<void>();

  constructor(running: RunningJob<'speak'>) {
    this.#cancel = running.cancel;
    this.#ended = this.#fill(running);
    // Listeners get the failure. Without one, the rejection must not count as unhandled.
    this.#ended.catch(() => undefined);
  }

  get isComplete(): boolean {
    return this.#state === 'complete';
  }

  /** Whether the recording has failed, which its listeners were told. A new listener needs a new recording. */
  get isFailed(): boolean {
    return this.#state === 'failed';
  }

  /** Length of the part that has been spoken. */
  get byteLength(): number {
    return this.#chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  }

  /** Resolves when the file is complete, rejects if speaking fails. Waiting for it is not listening. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  /** The file from its beginning, while it is being spoken. */
  listen(): ReadableStream<Bytes> {
    this.#listeners++;
    let index = 0;
    return new ReadableStream<Bytes>({
      pull: async (controller) => {
        while (index >= this.#chunks.length && this.#state === 'running') await this.#next.promise;
        const chunk = this.#chunks[index++];
        if (chunk) {
          controller.enqueue(chunk);
          return;
        }
        this.#leave();
        await this.#ended;
        controller.close();
      },
      cancel: () => this.#leave(),
    });
  }

  /** A part of the file; both bytes included. */
  part(first: number, last: number): Bytes {
    const bytes = new Uint8Array(last - first + 1);
    let offset = -first;
    for (const chunk of this.#chunks) {
      const wanted = chunk.subarray(Math.max(0, -offset), Math.max(0, bytes.length - offset));
      if (wanted.length > 0) bytes.set(wanted, Math.max(0, offset));
      offset += chunk.length;
    }
    return bytes;
  }

  /** When the last listener leaves, speaking stops. */
  #leave(): void {
    this.#listeners--;
    if (this.#listeners === 0 && this.#state === 'running') this.#cancel();
  }

  async #fill(running: RunningJob<'speak'>): Promise<void> {
    try {
      await running.each((event) => {
        if (event.type === 'audio') this.#chunks.push(event.bytes);
        if (event.type === 'spoken') this.#tellLength(event.header);
        this.#announce();
      });
      this.#state = 'complete';
    } catch (error) {
      this.#state = 'failed';
      throw error;
    } finally {
      this.#announce();
    }
  }

  /** From now on the file states its length. Bytes that listeners already have do not change. */
  #tellLength(header: Bytes): void {
    const [first] = this.#chunks;
    if (!first || first.length < header.length) return;
    const told = first.slice();
    told.set(header);
    this.#chunks[0] = told;
  }

  #announce(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }
}
