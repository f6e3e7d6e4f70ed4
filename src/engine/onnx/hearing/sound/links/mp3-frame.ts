/** Bytes of a frame's header. */
export const MP3_HEADER = 4;
/** No frame of a stated bit rate is longer. */
export const LONGEST_FRAME = 2_881;
/** Bits of a header that all frames of a stream share: the mark of its beginning, version, layer, sample rate. */
const SHARED = 0xfffe_0c00;

/** Kilobits a second by the index in the header, of MPEG-1 (layers I, II, III), then of MPEG-2 (I, II and III). */
const BIT_RATES = {
  1: {
    1: [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    2: [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    3: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  },
  2: {
    1: [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    3: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  },
} as const;
/** Hertz, of MPEG-1. */
const SAMPLE_RATES = [44_100, 48_000, 32_000];
/** By how much they are smaller, by the version's bits: MPEG-2.5, none, MPEG-2, MPEG-1. */
const DIVISORS = [4, 1, 2, 1];
const LAYERS = { 1: 3, 2: 2, 3: 1 } as const;

/** What the header of an MPEG audio frame says. */
export interface Mp3Header {
  /** Equal for frames that one decoder can read. */
  stream: number;
  isMono: boolean;
  /** MPEG-1; MPEG-2 and 2.5 otherwise. */
  isFirstVersion: boolean;
  /** Bytes of the frame; undefined if its bit rate is free, that is, not stated. */
  size: number | undefined;
}

/** The header at the beginning of these bytes. */
export function mp3Header(bytes: Uint8Array): Mp3Header | undefined {
  if (bytes.length < MP3_HEADER || bytes[0] !== 0xff) return undefined;
  const word =
    ((0xff << 24) | ((bytes[1] ?? 0) << 16) | ((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0)) >>> 0;
  const [version, layerBits] = [(word >>> 19) & 3, (word >>> 17) & 3];
  const [rateIndex, bitRate] = [(word >>> 10) & 3, (word >>> 12) & 15];
  if (word >>> 21 !== 0x7ff || version === 1 || bitRate === 15 || rateIndex === 3) return undefined;
  if (layerBits !== 1 && layerBits !== 2 && layerBits !== 3) return undefined;
  const isFirstVersion = version === 3;
  const layer = LAYERS[layerBits];
  const isMono = ((word >>> 6) & 3) === 3;
  const kilobits = BIT_RATES[isFirstVersion ? 1 : 2][layer][bitRate - 1];
  const sampleRate = (SAMPLE_RATES[rateIndex] ?? 0) / (DIVISORS[version] ?? 1);
  const padding = (word >>> 9) & 1;
  const stream = ((word & SHARED) | (isMono ? 1 : 0)) >>> 0;
  const size =
    kilobits === undefined
      ? undefined
      : frameSize(layer, isFirstVersion, (kilobits * 1_000) / sampleRate, padding);
  return { stream, isMono, isFirstVersion, size };
}

/** @param bits - of a sample */
function frameSize(
  layer: 1 | 2 | 3,
  isFirstVersion: boolean,
  bits: number,
  padding: number,
): number {
  if (layer === 1) return (Math.floor(12 * bits) + padding) * 4;
  const samples = layer === 3 && !isFirstVersion ? 576 : 1_152;
  return Math.floor((samples / 8) * bits) + padding;
}
