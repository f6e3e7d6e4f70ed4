/** The features that Whisper reads, computed from their definition: openai/whisper with the filters of librosa. */

const RATE = 16_000;
const FRAME = 400;
const HOP = 160;
const WINDOW_SECONDS = 30;
const BINS = FRAME / 2 + 1;

/** Slaney's mels: linear up to 1,000 Hz, logarithmic above. */
const LINEAR = 200 / 3;
const LOG_FROM = 1_000;
const LOG_STEP = Math.log(6.4) / 27;

function toMel(hertz: number): number {
  return hertz < LOG_FROM
    ? hertz / LINEAR
    : LOG_FROM / LINEAR + Math.log(hertz / LOG_FROM) / LOG_STEP;
}

function toHertz(mel: number): number {
  const logarithmic = LOG_FROM * Math.exp((mel - LOG_FROM / LINEAR) * LOG_STEP);
  return mel < LOG_FROM / LINEAR ? mel * LINEAR : logarithmic;
}

/** For each mel, the weights of the frequencies: triangles of equal area. */
function filters(mels: number): number[][] {
  const most = toMel(RATE / 2);
  const corner = (index: number) => toHertz((most * index) / (mels + 1));
  return Array.from({ length: mels }, (_, mel) => {
    const [low, middle, high] = [corner(mel), corner(mel + 1), corner(mel + 2)];
    return Array.from({ length: BINS }, (_bin, bin) => {
      const hertz = (bin * RATE) / FRAME;
      const up = (hertz - low) / (middle - low);
      const down = (high - hertz) / (high - middle);
      return (Math.max(0, Math.min(up, down)) * 2) / (high - low);
    });
  });
}

/** The power at each frequency around a sample, in a Hann window. */
function powers(samples: Float32Array, centre: number): number[] {
  const windowed = Float64Array.from({ length: FRAME }, (_, index) => {
    const hann = 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / FRAME);
    // The sound is reflected at its beginning.
    return hann * (samples[Math.abs(centre - FRAME / 2 + index)] ?? 0);
  });
  return Array.from({ length: BINS }, (_, bin) => {
    let [real, imaginary] = [0, 0];
    for (const [index, value] of windowed.entries()) {
      const angle = (2 * Math.PI * ((bin * index) % FRAME)) / FRAME;
      real += value * Math.cos(angle);
      imaginary -= value * Math.sin(angle);
    }
    return real ** 2 + imaginary ** 2;
  });
}

/** The features of a window that begins with this sound, frame by frame. Silence follows it. */
export function logMel(samples: Float32Array, mels: number): number[][] {
  if (samples.length > WINDOW_SECONDS * RATE) throw new Error('The sound is longer than a window.');
  const rows = filters(mels);
  const logs = Array.from({ length: (WINDOW_SECONDS * RATE) / HOP }, (_, frame) => {
    const centre = frame * HOP;
    if (centre - FRAME / 2 >= samples.length) return rows.map(() => -10);
    const power = powers(samples, centre);
    return rows.map((row) => {
      const sum = row.reduce((total, weight, bin) => total + weight * (power[bin] ?? 0), 0);
      return Math.log10(Math.max(1e-10, sum));
    });
  });
  const most = logs.flat().reduce((a, b) => Math.max(a, b), -Infinity);
  return logs.map((frame) => frame.map((value) => (Math.max(value, most - 8) + 4) / 4));
}
