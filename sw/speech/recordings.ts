import type { Recording } from './recording.ts';

/** Bytes; about the size of the largest speech: 4,096 characters at a quarter of the speed. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

interface Entry {
  beginning: Promise<Recording>;
  /** Set when it has begun. */
  recording?: Recording;
}

/**
 * Speeches for `<audio>` elements, which ask for one file in several requests. They are kept in memory
 * only, as long as the service worker lives; after that the text is spoken again.
 */
export class Recordings {
  /** The oldest first. */
  readonly #byUrl = new Map<string, Entry>();

  /** The recording of this URL. If there is none, or it has failed, a new one begins. */
  async get(url: string, begin: () => Promise<Recording>): Promise<Recording> {
    const known = this.#byUrl.get(url);
    if (known && !known.recording?.isFailed) return known.beginning;
    const entry: Entry = { beginning: begin() };
    this.#byUrl.delete(url);
    this.#byUrl.set(url, entry);
    try {
      entry.recording = await entry.beginning;
    } catch (error) {
      this.#byUrl.delete(url);
      throw error;
    }
    this.#dropOldest();
    return entry.recording;
  }

  #dropOldest(): void {
    let bytes = 0;
    for (const [url, { recording }] of [...this.#byUrl].reverse()) {
      bytes += recording?.byteLength ?? 0;
      if (bytes > MAX_KEPT_BYTES) this.#byUrl.delete(url);
    }
  }
}
