/** Puts recordings into other files, with the encoders of the browser and mediabunny. */
import {
  ALL_FORMATS,
  BlobSource,
  BufferTarget,
  Conversion,
  Input,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  WebMOutputFormat,
  type AudioCodec,
} from 'mediabunny';

const FILES = {
  webm: [() => new WebMOutputFormat(), 'opus'],
  ogg: [() => new OggOutputFormat(), 'opus'],
  m4a: [() => new Mp4OutputFormat(), 'opus'],
} satisfies Record<string, [() => object, AudioCodec]>;

export type SoundFile = keyof typeof FILES;

declare global {
  interface Window {
    /** Encodes a sound as another kind of file; undefined: this browser has no encoder for it. */
    encodeSound(wav: Blob, file: SoundFile): Promise<Blob | undefined>;
  }
}

window.encodeSound = async (wav, file) => {
  const [format, codec] = FILES[file];
  const target = new BufferTarget();
  const output = new Output({ format: format(), target });
  const input = new Input({ source: new BlobSource(wav), formats: ALL_FORMATS });
  // Not every Opus encoder supports 16 kHz, but all support 48 kHz.
  const audio = { codec, sampleRate: 48_000, bitrate: 64_000, forceTranscode: true };
  const conversion = await Conversion.init({ input, output, audio, showWarnings: false });
  if (!conversion.isValid) return undefined;
  await conversion.execute();
  return target.buffer ? new Blob([target.buffer]) : undefined;
};
