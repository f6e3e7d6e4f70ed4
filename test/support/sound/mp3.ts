import { bytes } from './wave.ts';

export interface Mp3Format {
  /** Bits of the version: 3 is MPEG-1, 2 is MPEG-2, 0 is MPEG-2.5. */
  version?: number;
  /** 0 is 44.1 kHz in MPEG-1, 1 is 48 kHz. */
  rate?: number;
  /** 0 is stereo, 1 joint stereo, 3 mono. */
  mode?: number;
  /** Index of the bit rate; 0 is free format. */
  bitRate?: number;
}

/** Kilobits a second of MPEG-1 and MPEG-2, layer III. */
const BIT_RATES = {
  3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const RATES = { 3: [44_100, 48_000, 32_000], 2: [22_050, 24_000, 16_000] };

/** A frame of layer III whose content is a number, again and again. @param sound - below 255 */
export function mp3Frame(
  sound: number,
  { version = 3, rate = 0, mode = 3, bitRate = 5 }: Mp3Format = {},
): Uint8Array<ArrayBuffer> {
  const kind = version === 3 ? 3 : 2;
  const kilobits = BIT_RATES[kind][bitRate] ?? 0;
  const hertz = (RATES[kind][rate] ?? 1) / (version === 0 ? 2 : 1);
  const size = Math.floor(((kind === 3 ? 144 : 72) * kilobits * 1000) / hertz);
  const frame = new Uint8Array(Math.max(size, 417)).fill(sound);
  frame.set([0xff, 0xe3 | (version << 3), (bitRate << 4) | (rate << 2), mode << 6]);
  return size === 0 ? frame : frame.subarray(0, size);
}

/** Frames of an MP3 file. */
export function mp3(sounds: readonly number[], format?: Mp3Format): Uint8Array<ArrayBuffer> {
  return bytes(sounds.map((sound) => mp3Frame(sound, format)));
}

/** A frame that tells of the others: of their number and size. */
export function xing(frames: number, size: number, name = 'Xing'): Uint8Array<ArrayBuffer> {
  const frame = mp3Frame(0);
  frame.set(
    bytes([name, { u32: 3 }, { u32: frames }, { u32: size }], false),
    name === 'VBRI' ? 36 : 21,
  );
  return frame;
}

interface Id3 {
  version?: number;
  flags?: number;
  /** What the tag states, which may be wrong. */
  size?: number;
}

/** An ID3v2 tag. */
export function id3(
  content: Uint8Array,
  { version = 3, flags = 0, size = content.length }: Id3 = {},
): Uint8Array<ArrayBuffer> {
  const sizes = [21, 14, 7, 0].map((shift) => (size >> shift) & 127);
  const head = new Uint8Array([version, 0, flags, ...sizes]);
  return bytes(['ID3', head, content, ...(flags & 16 ? ['3DI', head] : [])]);
}
