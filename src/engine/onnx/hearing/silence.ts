/** Frames of 30 ms. */
const FRAME_SECONDS = 0.03;
/** Frames louder than `LOUD` are always sound, and frames softer than `SOFT` never: -35 and -60 dB, as amplitudes. */
const LOUD = 0.018;
const SOFT = 0.001;
/** How much louder than the recording's own noise speech is. */
const ABOVE_NOISE = 3;

/**
 * Finds the first sound in a window, by loudness alone.
 *
 * @returns its place, samples; without a sound, the end of the window
 */
export function soundStart(samples: Float32Array, sampleRate: number): number {
  const frame = Math.round(FRAME_SECONDS * sampleRate);
  const levels = levelsOf(samples, frame);
  const noise = levels.toSorted((a, b) => a - b)[Math.floor(levels.length / 10)] ?? 0;
  const threshold = Math.min(LOUD, Math.max(SOFT, noise * ABOVE_NOISE));
  const first = levels.findIndex((level) => level > threshold);
  return first < 0 ? samples.length : first * frame;
}

/** A pause is looked for in this part of a window, from its end. */
const SEARCHED = 0.5;
/** How long a pause between words takes, seconds. */
const PAUSE_SECONDS = 0.3;
/** Frames at most this many times as loud as the quietest count as pauses, too. */
const ALIKE = 1.5;

/** Where to cut a window: the middle of the longest of the quietest pauses in its second half. @returns samples */
export function quietestPlace(samples: Float32Array, sampleRate: number): number {
  const frame = Math.round(FRAME_SECONDS * sampleRate);
  const first = Math.floor((samples.length * SEARCHED) / frame);
  const levels = smoothed(levelsOf(samples, frame)).slice(first);
  const most = Math.max(SOFT, ALIKE * Math.min(...levels));
  let [best, run] = [
    { begin: 0, length: 0 },
    { begin: 0, length: 0 },
  ];
  for (const [index, level] of levels.entries()) {
    run = level <= most ? { ...run, length: run.length + 1 } : { begin: index + 1, length: 0 };
    if (run.length > best.length) best = run;
  }
  return Math.min(samples.length, Math.round((first + best.begin + best.length / 2) * frame));
}

/** The loudest of the frames around each, so that a quiet consonant is not a pause. */
function smoothed(levels: readonly number[]): number[] {
  const reach = Math.round(PAUSE_SECONDS / FRAME_SECONDS / 2);
  return levels.map((_, index) =>
    Math.max(...levels.slice(Math.max(0, index - reach), index + reach + 1)),
  );
}

/** The root mean square of each frame. */
function levelsOf(samples: Float32Array, frame: number): number[] {
  const count = Math.ceil(samples.length / frame);
  return Array.from({ length: count }, (_, index) =>
    levelOf(samples, index * frame, Math.min(samples.length, (index + 1) * frame)),
  );
}

/** A plain loop takes a tenth of the time of other ways, which matters for a recording. */
function levelOf(samples: Float32Array, begin: number, end: number): number {
  let sum = 0;
  for (let at = begin; at < end; at++) sum += (samples[at] ?? 0) ** 2;
  return Math.sqrt(sum / (end - begin));
}
