import { EventHandler } from './event-handler.ts';
import type { CreateMonitor } from './types.ts';

/** The API rounds progress, so that it tells no sizes. */
const STEPS = 0x10000;

class Monitor extends EventTarget implements CreateMonitor {
  readonly #handler = new EventHandler(
    this,
    'downloadprogress',
    (event) => event instanceof ProgressEvent,
  );

  get ondownloadprogress() {
    return this.#handler.value;
  }

  set ondownloadprogress(handler) {
    this.#handler.value = handler;
  }
}

/** Tells a page's monitor how far a download is. Events begin with 0, only grow, and end with 1. */
export class DownloadMonitor {
  readonly #monitor = new Monitor();
  readonly #signal: AbortSignal;
  #loaded = -1;

  /**
   * @param watch - gets the monitor; the constructor throws what it throws
   * @param signal - no event follows its abort
   */
  constructor(watch: ((monitor: CreateMonitor) => void) | undefined, signal: AbortSignal) {
    this.#signal = signal;
    watch?.(this.#monitor);
  }

  /** @param fraction - from 0 to 1 */
  report(fraction: number): void {
    const loaded = Math.floor(fraction * STEPS) / STEPS;
    if (this.#signal.aborted || loaded <= this.#loaded) return;
    this.#loaded = loaded;
    const event = new ProgressEvent('downloadprogress', {
      lengthComputable: true,
      loaded,
      total: 1,
    });
    // Some browsers only have whole numbers here.
    if (event.loaded !== loaded) Object.defineProperty(event, 'loaded', { value: loaded });
    this.#monitor.dispatchEvent(event);
  }
}
