/** Small, strict parsers for the API's audio files: they throw if a byte violates the format. */

export function parseWav(bytes: Buffer) {
  const id = (offset: number) => bytes.toString('latin1', offset, offset + 4);
  if (id(0) !== 'RIFF' || id(8) !== 'WAVE' || id(12) !== 'fmt ' || id(36) !== 'data') {
    throw new Error('Not a RIFF WAVE file with its chunks in the usual order.');
  }
  if (bytes.readUInt32LE(16) !== 16) throw new Error('The format chunk does not have 16 bytes.');
  const [channels, sampleRate, bits] = [22, 24, 34].map((offset) =>
    offset === 24 ? bytes.readUInt32LE(offset) : bytes.readUInt16LE(offset),
  ) as [number, number, number];
  if (bytes.readUInt16LE(32) !== (channels * bits) / 8) throw new Error('Wrong block size.');
  if (bytes.readUInt32LE(28) !== (sampleRate * channels * bits) / 8) throw new Error('Wrong rate.');
  const data = bytes.subarray(44);
  return {
    channels,
    sampleRate,
    bits,
    format: bytes.readUInt16LE(20),
    riffBytes: bytes.readUInt32LE(4),
    dataBytes: bytes.readUInt32LE(40),
    samples: Array.from({ length: Math.floor(data.length / 2) }, (_, i) => data.readInt16LE(2 * i)),
  };
}

/** Hertz by version (3 is MPEG-1, 2 is MPEG-2, 0 is MPEG-2.5) and index. */
const RATES: Record<number, number[]> = {
  3: [44_100, 48_000, 32_000],
  2: [22_050, 24_000, 16_000],
  0: [11_025, 12_000, 8_000],
};
const KBPS_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const KBPS_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

/** All frames of a file that consists of frames only. */
export function mp3Frames(bytes: Buffer) {
  const frames = [];
  for (let offset = 0; offset < bytes.length;) {
    const frame = mp3Frame(bytes, offset);
    frames.push(frame);
    offset += frame.length;
    if (offset > bytes.length) throw new Error('The last frame is cut off.');
  }
  return frames;
}

function mp3Frame(bytes: Buffer, offset: number) {
  const header = bytes.readUInt32BE(offset);
  if (header >>> 21 !== 0x7ff) throw new Error(`No frame at byte ${offset}.`);
  const version = (header >> 19) & 3;
  if (((header >> 17) & 3) !== 1) throw new Error('Not layer III.');
  const sampleRate = RATES[version]?.[(header >> 10) & 3] ?? 0;
  const kbps = (version === 3 ? KBPS_1 : KBPS_2)[(header >> 12) & 15] ?? 0;
  const samples = version === 3 ? 1152 : 576;
  const padding = (header >> 9) & 1;
  const length = Math.floor((samples * kbps * 125) / sampleRate) + padding;
  const channels = ((header >> 6) & 3) === 3 ? 1 : 2;
  return { version, sampleRate, kbps, samples, length, channels };
}

/** The contents of the Info frame at the start: {} if it says nothing, undefined if there is none. */
export function infoOf(bytes: Buffer) {
  const { version, channels } = mp3Frame(bytes, 0);
  const sideInfo = version === 3 ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17;
  const start = 4 + sideInfo;
  if (bytes.toString('latin1', start, start + 4) !== 'Info') return undefined;
  const flags = bytes.readUInt32BE(start + 4);
  if (flags === 0) return {};
  if (flags !== 0x0f) throw new Error('Some fields are missing.');
  if (bytes.toString('latin1', start + 120, start + 124) !== 'LAME')
    throw new Error('No LAME tag.');
  const delays = bytes.readUIntBE(start + 141, 3);
  return {
    frames: bytes.readUInt32BE(start + 8),
    bytes: bytes.readUInt32BE(start + 12),
    delay: delays >> 12,
    padding: delays & 0xfff,
  };
}
