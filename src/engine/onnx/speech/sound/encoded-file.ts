import {
  AdtsOutputFormat,
  AudioSample,
  AudioSampleSource,
  canEncodeAudio,
  FlacOutputFormat,
  OggOutputFormat,
  Output,
  StreamTarget,
  type StreamTargetChunk,
} from 'mediabunny';
import { jobFault } from '../../../../core/errors/errors.ts';
import { joinedBytes } from '../../../../core/joined.ts';
import type { AudioFile, Bytes } from './audio-file.ts';

/** The formats whose encoder is the browser's own. */
export type EncodedFormat = 'opus' | 'aac' | 'flac';

/** Hertz. Every encoder supports it. Voices have lower rates, and are resampled. */
const SAMPLE_RATE = 48_000;
/** Bits per second: transparent for speech. */
const BITRATE = 64_000;

const CONTAINERS = {
  opus: () => new OggOutputFormat({ maximumPageDuration: 1 }),
  aac: () => new AdtsOutputFormat(),
  flac: () => new FlacOutputFormat({ appendOnly: true }),
};

/** Opus in Ogg, AAC in ADTS, or FLAC, mono at 48 kHz, encoded by the browser (WebCodecs). */
export class EncodedFile implements AudioFile {
  /** These files do not state their length at the beginning. */
  readonly openingHeader: Bytes = new Uint8Array(0);
  readonly #output: Output;
  readonly #source: AudioSampleSource;
  readonly #sampleRate: number;
  #samples = 0;
  #ready: Bytes[] = [];

  private constructor(format: EncodedFormat, sampleRate: number) {
    this.#sampleRate = sampleRate;
    const write = ({ data }: StreamTargetChunk) => void this.#ready.push(data.slice());
    const target = new StreamTarget(new WritableStream({ write }));
    this.#output = new Output({ format: CONTAINERS[format](), target });
    this.#source = new AudioSampleSource({
      ...encoding(format),
      transform: { sampleRate: SAMPLE_RATE },
    });
    this.#output.addAudioTrack(this.#source);
  }

  /**
   * @param sampleRate - of the samples, hertz
   * @throws ApiError 400 if the browser has no encoder for the format
   */
  static async open(format: EncodedFormat, sampleRate: number): Promise<EncodedFile> {
    const { codec, ...rest } = encoding(format);
    const sound = { ...rest, numberOfChannels: 1, sampleRate: SAMPLE_RATE };
    if (!(await canEncodeAudio(codec, sound))) {
      const text = `'${format}' needs an encoder that ${host()} does not have; wav, mp3 and pcm work everywhere.`;
      throw jobFault('audio', text, { code: 'unsupported_value' });
    }
    const file = new EncodedFile(format, sampleRate);
    await file.#output.start();
    return file;
  }

  async encode(samples: Float32Array): Promise<Bytes> {
    if (samples.length > 0) {
      const sample = new AudioSample({
        data: samples.slice(),
        format: 'f32',
        numberOfChannels: 1,
        sampleRate: this.#sampleRate,
        timestamp: this.#samples / this.#sampleRate,
      });
      this.#samples += samples.length;
      await this.#source.add(sample);
      sample.close();
    }
    return this.#take();
  }

  async finish(): Promise<{ bytes: Bytes; header: Bytes }> {
    await this.#output.finalize();
    return { bytes: this.#take(), header: this.openingHeader };
  }

  /** Stops the encoder. Nothing is written any more. */
  async close(): Promise<void> {
    await this.#output.cancel();
  }

  #take(): Bytes {
    const bytes = joinedBytes(this.#ready);
    this.#ready = [];
    return bytes;
  }
}

function encoding(format: EncodedFormat) {
  return { codec: format, ...(format !== 'flac' && { bitrate: BITRATE }) };
}

/** What lacks the encoder. SharedWorkers have no WebCodecs in any browser. */
function host(): string {
  return 'onconnect' in globalThis
    ? "a SharedWorker (the site's option 'outlive')"
    : 'this browser';
}
