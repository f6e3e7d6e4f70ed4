import { checksum } from './checksum.ts';

/** The longest header of a frame. */
export const FLAC_HEADER = 16;
/** What the sum over a whole frame is, when it ends with its own one. */
export const frameSum = checksum(0x8005_0000);
const headerSum = checksum(0x0700_0000);

const SAMPLE_RATES = [
  0, 88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
];
const BITS = [0, 8, 12, 0, 16, 20, 24, 32];

/** What the header of a frame says (RFC 9639, 9.1). */
export interface FlacHeader {
  /** Blocks have different sizes: `number` counts samples, and frames otherwise. */
  isVariable: boolean;
  number: number;
  samples: number;
  channels: number;
  /** Hertz, and bits of a sample; 0 if only the file's header states it. */
  sampleRate: number;
  bits: number;
}

/** The header at the beginning of these bytes, if its sum is right. */
export function flacHeader(bytes: Uint8Array): FlacHeader | undefined {
  const [first = 0, second = 0, sizes = 0, sound = 0] = bytes;
  if (first !== 0xff || second >> 1 !== 0x7c || bytes.length < 6) return undefined;
  const [sizeCode, rateCode, layout, bitsCode] = [
    sizes >> 4,
    sizes & 15,
    sound >> 4,
    (sound >> 1) & 7,
  ];
  if (sizeCode === 0 || rateCode === 15 || layout > 10 || bitsCode === 3 || sound & 1)
    return undefined;
  const number = codedNumber(bytes.subarray(4));
  if (!number) return undefined;
  let at = 4 + number.length;
  const next = (count: number) => {
    const value = bytes.subarray(at, at + count).reduce((sum, byte) => sum * 256 + byte, 0);
    at += count;
    return value;
  };
  const samples = sizeCode === 6 ? next(1) + 1 : sizeCode === 7 ? next(2) + 1 : blockSize(sizeCode);
  const sampleRate = [() => next(1) * 1_000, () => next(2), () => next(2) * 10][rateCode - 12]?.();
  if (at >= bytes.length || headerSum(bytes.subarray(0, at)) >>> 24 !== bytes[at]) return undefined;
  return {
    isVariable: (second & 1) === 1,
    number: number.value,
    samples,
    channels: layout < 8 ? layout + 1 : 2,
    sampleRate: sampleRate ?? SAMPLE_RATES[rateCode] ?? 0,
    bits: BITS[bitsCode] ?? 0,
  };
}

function blockSize(code: number): number {
  if (code === 1) return 192;
  return code < 6 ? 144 << code : 1 << code;
}

/** A number of up to 36 bits, coded as UTF-8 codes characters. */
function codedNumber(bytes: Uint8Array): { value: number; length: number } | undefined {
  const first = bytes[0] ?? 0;
  const ones = Math.clz32(~(first << 24));
  if (ones === 0) return { value: first, length: 1 };
  if (ones === 1 || ones === 8 || bytes.length < ones) return undefined;
  let value = first & (0x7f >> ones);
  for (const byte of bytes.subarray(1, ones)) {
    if (byte >> 6 !== 2) return undefined;
    value = value * 64 + (byte & 63);
  }
  return { value, length: ones };
}
