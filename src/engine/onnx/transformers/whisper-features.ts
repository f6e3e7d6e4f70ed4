import { AutoFeatureExtractor, Tensor } from '@huggingface/transformers';
import * as v from 'valibot';
import { MODEL } from './runtime.ts';

/** The lower limit of mel features: the logarithm of 1e-10, scaled as Whisper's features are. */
const LOWEST = (-10 + 4) / 4;
/** How far a feature may be below the largest one of the window: 8 in the logarithm. */
const RANGE = 8 / 4;

const configSchema = v.object({
  /** Samples of the window, and from one frame to the next. */
  n_samples: v.number(),
  hop_length: v.number(),
  /** Samples that a frame is computed from. */
  n_fft: v.number(),
  /** Frames of the window. */
  nb_max_frames: v.number(),
});
const featuresSchema = v.object({ input_features: v.instance(Tensor) });

type Extract = (samples: Float32Array, options: { max_length: number }) => Promise<unknown>;

/** Turns sound into the features that a Whisper model reads. */
export class WhisperFeatures {
  readonly #extract: Extract;
  readonly #config: v.InferOutput<typeof configSchema>;

  private constructor(extract: Extract, config: v.InferOutput<typeof configSchema>) {
    this.#extract = extract;
    this.#config = config;
  }

  /** Loads the features of the model whose files are served. */
  static async load(): Promise<WhisperFeatures> {
    const extractor = await AutoFeatureExtractor.from_pretrained(MODEL);
    const config = v.parse(configSchema, extractor.config);
    return new WhisperFeatures(async (...sound) => {
      const extracted: unknown = await extractor(...sound);
      return extracted;
    }, config);
  }

  /**
   * Computes the features of a window. Silence after the sound has known features, which are filled in: otherwise a
   * word would take as long as half a minute.
   *
   * @param samples - what exceeds the window is cut off
   * @returns [1, mels, frames of the window]
   */
  async of(samples: Float32Array): Promise<Tensor> {
    const { n_samples, hop_length, n_fft } = this.#config;
    // The last frames reach beyond the sound.
    const length = Math.ceil((samples.length + n_fft) / hop_length) * hop_length;
    const extracted = await this.#extract(samples, { max_length: Math.min(n_samples, length) });
    return this.#padded(v.parse(featuresSchema, extracted).input_features);
  }

  #padded(features: Tensor): Tensor {
    const [, mels = 0, frames = 0] = features.dims;
    const values: unknown = features.data;
    const all = this.#config.nb_max_frames;
    if (frames >= all || !(values instanceof Float32Array)) return features;
    const largest = values.reduce((most, value) => Math.max(most, value), -Infinity);
    const padded = new Float32Array(mels * all).fill(Math.max(LOWEST, largest - RANGE));
    for (let mel = 0; mel < mels; mel++) {
      padded.set(values.subarray(mel * frames, (mel + 1) * frames), mel * all);
    }
    return new Tensor('float32', padded, [1, mels, all]);
  }
}
