import type { Progress } from '../../../core/operations/events/events.ts';
import type { Stop } from '../../../core/catalog/variant.ts';
import { ByteRate } from './byte-rate.ts';
import { messageOf } from '../../../core/text/message-of.ts';

/** Why a download stopped. @param signal - the download's; aborted if it was paused or no caller waits for it */
export function stopOf(error: unknown, signal: AbortSignal): Stop {
  return signal.aborted ? { why: 'paused' } : { why: 'failed', message: messageOf(error) };
}

/** The shortest time between two reports, milliseconds: chunks arrive thousands a second. */
const INTERVAL_MS = 200;

/** Reports a download's bytes and speed, at a rate that people can read. */
export class DownloadReport {
  readonly #model: string;
  readonly #send: (progress: Progress) => void;
  readonly #rate = new ByteRate();
  #last = Number.NEGATIVE_INFINITY;
  /** Reports a count that arrived too soon after the last report. */
  #later: ReturnType<typeof setTimeout> | undefined;
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
    const wait = this.#last + INTERVAL_MS - now;
    if (wait <= 0) this.#reportBytes();
    else this.#later ??= setTimeout(() => this.#reportBytes(), wait);
  }

  done(): void {
    if (this.#later !== undefined) this.#reportBytes();
    this.#report('installed', 'Downloaded');
  }

  paused(): void {
    this.#report('paused', 'Download paused');
  }

  failed(error: unknown): void {
    this.#report('failed', messageOf(error));
  }

  #reportBytes(): void {
    this.#last = performance.now();
    this.#rate.add(this.#loadedBytes, this.#last);
    this.#report('download', 'Downloading', this.#speed());
  }

  #speed(): Pick<Progress, 'bytesPerSecond' | 'secondsLeft'> {
    const { bytesPerSecond } = this.#rate;
    if (bytesPerSecond === 0) return {};
    const secondsLeft = Math.max(0, this.#totalBytes - this.#loadedBytes) / bytesPerSecond;
    return { bytesPerSecond, secondsLeft };
  }

  #report(stage: Progress['stage'], text: string, speed: Partial<Progress> = {}): void {
    clearTimeout(this.#later);
    this.#later = undefined;
    const loadedBytes = this.#loadedBytes;
    const totalBytes = this.#totalBytes;
    this.#send({ model: this.#model, stage, loadedBytes, totalBytes, text, ...speed });
  }
}
