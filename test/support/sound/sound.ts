/** Measurements of sounds. Mono, full scale ±1. */

/** A WAV file's samples, and their rate in hertz. */
export function wavSamples(file: Uint8Array): { samples: Float32Array; rate: number } {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const count = Math.floor((file.byteLength - 44) / 2);
  const samples = Float32Array.from(
    { length: count },
    (_, index) => view.getInt16(44 + 2 * index, true) / 0x8000,
  );
  return { samples, rate: view.getUint32(24, true) };
}

/** Root mean square of the parts that are not silent. */
export function loudness(samples: Float32Array): number {
  const frames = framesOf(samples, 1_000).map(rms);
  const loudest = Math.max(...frames);
  const spoken = frames.filter((level) => level > loudest / 10);
  return Math.sqrt(spoken.reduce((sum, level) => sum + level ** 2, 0) / spoken.length);
}

/** The most samples in a row at full scale. A clipped sound has several, a loud one has one. */
export function longestClip(samples: Float32Array): number {
  let [longest, length] = [0, 0];
  for (const sample of samples) {
    length = Math.abs(sample) > 0.999 ? length + 1 : 0;
    longest = Math.max(longest, length);
  }
  return longest;
}

/**
 * The ratio of the pitches of two sounds of the same words: the median over the moments at which both are
 * voiced, by autocorrelation between 60 and 400 Hz.
 *
 * @param tempo - how many times as fast `sound` is
 */
export function pitchRatio(
  sound: Float32Array,
  original: Float32Array,
  rate: number,
  tempo: number,
): number {
  const ratios: number[] = [];
  for (let start = 0; start < original.length; start += Math.round(rate / 100)) {
    const [before, after] = [
      pitchAt(original, start, rate),
      pitchAt(sound, Math.round(start / tempo), rate),
    ];
    if (before !== undefined && after !== undefined) ratios.push(after / before);
  }
  return ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? Number.NaN;
}

/** The least autocorrelation of a voiced sound at its period. */
const VOICED = 0.85;
/** Below this root mean square, a sound is a breath or a pause. */
const SILENT = 0.02;

function pitchAt(samples: Float32Array, start: number, rate: number): number | undefined {
  const window = samples.subarray(start, start + Math.round(rate / 30));
  if (rms(window) < SILENT) return undefined;
  const [shortest, longest] = [Math.floor(rate / 400), Math.ceil(rate / 60)];
  const correlation = Array.from({ length: longest - shortest }, (_, index) =>
    correlate(window, samples.subarray(start + shortest + index)),
  );
  const best = Math.max(...correlation);
  if (best < VOICED) return undefined;
  // Multiples of the period correlate as well. The first peak among the best is the period.
  const at = correlation.findIndex(
    (value, index) => value > best - 0.03 && value >= (correlation[index + 1] ?? 0),
  );
  return rate / (shortest + at);
}

function correlate(window: Float32Array, later: Float32Array): number {
  let [product, energy, other] = [0, 0, 0];
  window.forEach((sample, index) => {
    const after = later[index] ?? 0;
    product += sample * after;
    energy += sample ** 2;
    other += after ** 2;
  });
  return product / Math.sqrt(energy * other || 1);
}

function framesOf(samples: Float32Array, length: number): Float32Array[] {
  return Array.from({ length: Math.floor(samples.length / length) }, (_, index) =>
    samples.subarray(index * length, (index + 1) * length),
  );
}

function rms(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);
}
