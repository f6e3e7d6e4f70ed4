/** Sound below this is never speech: the root of the mean square of samples from -1 to 1. */
const LEAST_LOUDNESS = 0.012;
/** Speech is so many times as loud as the background. */
const ABOVE_BACKGROUND = 3;
/** Speech begins after so much of it, and ends after so much silence, milliseconds. */
const BEGINS_MS = 150;
const ENDS_MS = 800;
/** How quickly the background is learnt, a part for each millisecond. */
const LEARNS = 0.0004;

/** Notices when somebody begins to speak and when they have ended, by how loud it is. */
export class VoiceActivity {
  #background = LEAST_LOUDNESS / ABOVE_BACKGROUND;
  #loudMs = 0;
  #quietMs = 0;
  #isSpeaking = false;

  /**
   * @param loudness - of the last moment
   * @param ms - how long the moment was
   */
  hear(loudness: number, ms: number): 'begun' | 'ended' | undefined {
    const isLoud = loudness > Math.max(LEAST_LOUDNESS, this.#background * ABOVE_BACKGROUND);
    this.#loudMs = isLoud ? this.#loudMs + ms : 0;
    this.#quietMs = isLoud ? 0 : this.#quietMs + ms;
    if (!isLoud) this.#background += (loudness - this.#background) * Math.min(1, LEARNS * ms);
    if (!this.#isSpeaking && this.#loudMs >= BEGINS_MS) {
      this.#isSpeaking = true;
      return 'begun';
    }
    if (this.#isSpeaking && this.#quietMs >= ENDS_MS) {
      this.#isSpeaking = false;
      return 'ended';
    }
    return undefined;
  }
}
