/**
 * An answer that takes longer than this asks the pages for messages, milliseconds. Without messages, a service worker
 * is ended after 30 s.
 */
const AWAKE_MS = 2_000;

/**
 * Tells when answers have been under way for a while. There is one timer, which short answers that follow each other
 * share; it ends when nothing is answered.
 */
export class AwakeTimer {
  readonly #areOpen: () => boolean;
  readonly #onLong: () => void;
  /** When the first of the answers under way began. */
  #since = 0;
  #isSet = false;

  /**
   * @param areOpen - whether an answer is under way
   * @param onLong - called once for answers that take long
   */
  constructor(areOpen: () => boolean, onLong: () => void) {
    this.#areOpen = areOpen;
    this.#onLong = onLong;
  }

  /** The first of the answers under way begins. */
  begin(): void {
    this.#since = performance.now();
    if (!this.#isSet) this.#wait(AWAKE_MS);
  }

  #wait(ms: number): void {
    this.#isSet = true;
    setTimeout(() => this.#check(), ms);
  }

  #check(): void {
    this.#isSet = false;
    if (!this.#areOpen()) return;
    const left = this.#since + AWAKE_MS - performance.now();
    if (left > 0) this.#wait(left);
    else this.#onLong();
  }
}
