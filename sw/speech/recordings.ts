import type { Recording } from './recording.ts';

/** Bytes; about as much as the largest there is, 4,096 characters at a quarter of the speed. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

interface Entry {
  beginning: Promise<Recording>;
  /** Once it has begun. */
  recording?: Recording;
}

/**
 * Speeches that `<audio>` elements listen to: they ask for one file in several requests. Kept in memory
 * only, and no longer than the service worker lives; after that the text is spoken once more.
 */
export class Recordings {
  /** The oldest first. */
  readonly #byUrl = new Map<string, Entry>();

  /** The one of this URL, begun if there is none that has not failed. */
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
