import type { AudioFile, Bytes } from './audio-file.ts';

const HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;
/**
 * Stands for an unknown length, as in files that ffmpeg writes into a pipe. Players then read to the end of the
 * file. No file of the API is nearly as long.
 */
const UNKNOWN = 0xffffffff;

/** RIFF WAVE, 16-bit PCM, mono. */
export class WavFile implements AudioFile {
  readonly #sampleRate: number;
  #dataBytes = 0;

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate;
  }

  get openingHeader(): Bytes {
    return this.#header(UNKNOWN, UNKNOWN);
  }

  encode(samples: Float32Array): Bytes {
    const view = new DataView(new ArrayBuffer(samples.length * BYTES_PER_SAMPLE));
    samples.forEach((sample, index) =>
      view.setInt16(index * BYTES_PER_SAMPLE, pcm16(sample), true),
    );
    this.#dataBytes += view.byteLength;
    return new Uint8Array(view.buffer);
  }

  finish(): { bytes: Bytes; header: Bytes } {
    const header = this.#header(HEADER_BYTES - 8 + this.#dataBytes, this.#dataBytes);
    return { bytes: new Uint8Array(0), header };
  }

  #header(riffBytes: number, dataBytes: number): Bytes {
    const view = new DataView(new ArrayBuffer(HEADER_BYTES));
    const text = (offset: number, id: string) =>
      Array.from(id).forEach((char, index) => view.setUint8(offset + index, char.charCodeAt(0)));
    text(0, 'RIFF');
    view.setUint32(4, riffBytes, true);
    text(8, 'WAVEfmt ');
    view.setUint32(16, 16, true);
    // PCM, one channel.
    view.setUint16(20, 1, true);
    view.setUint16(22, 1, true);
    view.setUint32(24, this.#sampleRate, true);
    view.setUint32(28, this.#sampleRate * BYTES_PER_SAMPLE, true);
    view.setUint16(32, BYTES_PER_SAMPLE, true);
    view.setUint16(34, BYTES_PER_SAMPLE * 8, true);
    text(36, 'data');
    view.setUint32(40, dataBytes, true);
    return new Uint8Array(view.buffer);
  }
}

/** Clips a sample beyond full scale, which would otherwise wrap around and be heard as a crack. */
function pcm16(sample: number): number {
  return Math.round(Math.max(-1, Math.min(1, sample || 0)) * 0x7fff);
}
