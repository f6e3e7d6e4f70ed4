import { createEncoder, type WasmMediaEncoder } from 'wasm-media-encoders';
import type { AudioFile, Bytes } from './audio-file.ts';
import { mp3Format, type Mp3Format } from './mp3-format.ts';

/** Samples that LAME puts before the first sample. */
const ENCODER_DELAY = 576;

/** MPEG audio layer III, mono, constant bit rate, encoded by LAME. */
export class Mp3File implements AudioFile {
  readonly #encoder: WasmMediaEncoder<'audio/mpeg'>;
  readonly #format: Mp3Format;
  #bytes = 0;
  #samples = 0;

  private constructor(encoder: WasmMediaEncoder<'audio/mpeg'>, format: Mp3Format) {
    this.#encoder = encoder;
    this.#format = format;
  }

  /**
   * @param wasm - `wasm-media-encoders/wasm/mp3.wasm`. LAME is LGPL, so it is a separate file that anyone can
   * replace, and not part of a bundle
   * @param sampleRate - hertz
   * @throws RangeError for a sample rate that MP3 does not have
   */
  static async open(wasm: WebAssembly.Module, sampleRate: number): Promise<Mp3File> {
    const format = mp3Format(sampleRate);
    const encoder = await createEncoder('audio/mpeg', wasm);
    const { sampleRate: outputSampleRate, bitrate } = format;
    encoder.configure({ channels: 1, sampleRate, outputSampleRate, bitrate });
    return new Mp3File(encoder, format);
  }

  get openingHeader(): Bytes {
    return infoFrame(this.#format);
  }

  encode(samples: Float32Array): Bytes {
    this.#samples += samples.length;
    // LAME wraps samples beyond full scale around.
    const clamped = samples.map((sample) => Math.max(-1, Math.min(1, sample || 0)));
    return this.#count(this.#encoder.encode([clamped]));
  }

  finish(): { bytes: Bytes; header: Bytes } {
    const bytes = this.#count(this.#encoder.finalize());
    const { bytesPerFrame, samplesPerFrame, frameBytes } = this.#format;
    const frames = Math.round(this.#bytes / bytesPerFrame);
    const padding = frames * samplesPerFrame - ENCODER_DELAY - this.#samples;
    const header = infoFrame(this.#format, { frames, bytes: this.#bytes + frameBytes, padding });
    return { bytes, header };
  }

  /** Counts and copies bytes: the encoder reuses its memory for the next output. */
  #count(bytes: Uint8Array): Bytes {
    this.#bytes += bytes.length;
    return new Uint8Array(bytes);
  }
}

interface Length {
  /** Not counting the Info frame. */
  frames: number;
  /** Size of the whole file. */
  bytes: number;
  /** Samples of silence that the encoder added at the end. */
  padding: number;
}

/**
 * A silent first frame with the length of the file (Xing's `Info`) and the silence that the encoder added at
 * both ends (LAME's extension). As long as the length is unknown, the frame has the same size without them.
 */
function infoFrame(format: Mp3Format, length?: Length): Bytes {
  const frame = new Uint8Array(format.frameBytes);
  frame.set(format.header);
  const view = new DataView(frame.buffer, format.header.length + format.sideInfoBytes);
  const text = (offset: number, id: string) =>
    Array.from(id).forEach((char, index) => view.setUint8(offset + index, char.charCodeAt(0)));
  text(0, 'Info');
  if (!length) return frame;
  // Flags: frames, bytes, table of contents and quality are present.
  view.setUint32(4, 0x0f);
  view.setUint32(8, length.frames);
  view.setUint32(12, length.bytes);
  for (let percent = 0; percent < 100; percent++) {
    view.setUint8(16 + percent, Math.floor((percent * 256) / 100));
  }
  text(120, 'LAME3.100');
  // Revision 0, constant bit rate.
  view.setUint8(129, 1);
  view.setUint8(140, format.bitrate);
  const padding = Math.max(0, Math.min(0xfff, length.padding));
  const delays = (ENCODER_DELAY << 12) | padding;
  view.setUint8(141, delays >> 16);
  view.setUint16(142, delays & 0xffff);
  return frame;
}
