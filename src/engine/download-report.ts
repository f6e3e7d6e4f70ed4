import type { Progress } from '../core/engine.ts';
import { ByteRate } from './byte-rate.ts';

/** Chunks come thousands a second; nobody reads faster than this, milliseconds. */
const INTERVAL_MS = 200;

/** Makes reports of a download's bytes: not too many, and with its speed. */
export class DownloadReport {
  readonly #model: string;
  readonly #send: (progress: Progress) => void;
  readonly #rate = new ByteRate();
  #last = Number.NEGATIVE_INFINITY;
  #loadedBytes = 0;
  #totalBytes = 0;

  constructor(model: string, send: (progress: Progress) => void) {
    this.#model = model;
    this.#send = send;
  }

  bytes(loadedBytes: number, totalBytes: number): void {
    const now = performance.now();
    this.#loadedBytes = loadedBytes;
    this.#totalBytes = totalBytes;
    const isLast = loadedBytes >= totalBytes;
    if (!isLast && now - this.#last < INTERVAL_MS) return;
    this.#last = now;
    this.#rate.add(loadedBytes, now);
    this.#report('download', 'Downloading', this.#speed());
  }

  done(): void {
    this.#report('installed', 'Downloaded');
  }

  paused(): void {
    this.#report('paused', 'Download paused');
  }

  failed(error: unknown): void {
    this.#report('failed', error instanceof Error ? error.message : String(error));
  }

  #speed(): Pick<Progress, 'bytesPerSecond' | 'secondsLeft'> {
    const { bytesPerSecond } = this.#rate;
    if (bytesPerSecond === 0) return {};
    const secondsLeft = Math.max(0, this.#totalBytes - this.#loadedBytes) / bytesPerSecond;
    return { bytesPerSecond, secondsLeft };
  }

  #report(stage: Progress['stage'], text: string, speed: Partial<Progress> = {}): void {
    const loadedBytes = this.#loadedBytes;
    const totalBytes = this.#totalBytes;
    this.#send({ model: this.#model, stage, loadedBytes, totalBytes, text, ...speed });
  }
}
