import type { AudioFile, Bytes } from './audio-file.ts';
import { WavFile } from './wav-file.ts';

/** A WAV file without its header: 16-bit samples, the low byte first. */
export class PcmFile implements AudioFile {
  readonly #wav: WavFile;
  readonly openingHeader: Bytes = new Uint8Array(0);

  /** @param sampleRate - hertz */
  constructor(sampleRate: number) {
    this.#wav = new WavFile(sampleRate);
  }

  encode(samples: Float32Array): Bytes {
    return this.#wav.encode(samples);
  }

  finish(): { bytes: Bytes; header: Bytes } {
    return { bytes: new Uint8Array(0), header: this.openingHeader };
  }
}
