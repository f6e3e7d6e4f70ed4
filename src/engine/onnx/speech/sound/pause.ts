/** How long a piece fades in and out, seconds. Without fading, a sound that is cut off clicks. */
const FADE_SECONDS = 0.005;

/**
 * A piece of speech with faded ends, and silence after it.
 *
 * @param sampleRate - hertz
 * @param seconds - of silence
 */
export function withPause(
  samples: Float32Array,
  sampleRate: number,
  seconds: number,
): Float32Array {
  const fade = Math.min(Math.round(FADE_SECONDS * sampleRate), Math.floor(samples.length / 2));
  const padded = new Float32Array(samples.length + Math.round(seconds * sampleRate));
  padded.set(samples);
  for (let index = 0; index < fade; index++) {
    const end = samples.length - 1 - index;
    padded[index] = (samples[index] ?? 0) * (index / fade);
    padded[end] = (samples[end] ?? 0) * (index / fade);
  }
  return padded;
}
