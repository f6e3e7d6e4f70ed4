/** Sounds for tests, and measurements of sounds. Mono, full scale ±1. */

/** A tone like a voice: a fundamental with overtones, whose loudness varies slowly. */
export function voiceLike(seconds: number, sampleRate: number, hertz = 140): Float32Array {
  return Float32Array.from({ length: Math.round(seconds * sampleRate) }, (_, index) => {
    const phase = (2 * Math.PI * hertz * index) / sampleRate;
    const loudness = 0.6 + 0.3 * Math.sin((2 * Math.PI * 3 * index) / sampleRate);
    return (
      loudness * (0.5 * Math.sin(phase) + 0.25 * Math.sin(2 * phase) + 0.12 * Math.sin(5 * phase))
    );
  });
}

/** Hertz, by autocorrelation between 60 and 400, in the middle of the sound. */
export function fundamental(samples: Float32Array, sampleRate: number): number {
  const length = Math.round(sampleRate * 0.1);
  const start = Math.floor((samples.length - 2 * length) / 2);
  const at = (index: number) => samples[start + index] ?? 0;
  const similarity = (lag: number) => {
    let [product, energy, shifted] = [0, 0, 0];
    for (let index = 0; index < length; index++) {
      product += at(index) * at(index + lag);
      energy += at(index) ** 2;
      shifted += at(index + lag) ** 2;
    }
    return product / Math.sqrt(energy * shifted);
  };
  const shortest = Math.floor(sampleRate / 400);
  const lags = Array.from(
    { length: Math.floor(sampleRate / 60) - shortest },
    (_, i) => i + shortest,
  );
  const best = Math.max(...lags.map(similarity));
  // Multiples of the period are equally similar. The shortest is the fundamental.
  const period = lags.find(
    (lag) => similarity(lag) > best - 0.02 && similarity(lag) >= similarity(lag + 1),
  );
  return sampleRate / (period ?? Number.NaN);
}

/** The largest step from one sample to the next. A click is a step that the original does not have. */
export function largestStep(samples: Float32Array): number {
  return samples.reduce(
    (most, sample, index) => Math.max(most, Math.abs(sample - (samples[index - 1] ?? sample))),
    0,
  );
}

export function rms(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);
}
