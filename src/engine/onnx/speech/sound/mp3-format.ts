/** Kilobits per second. Speech sounds no better with more. */
const BITRATE = 64;

/** Hertz. */
type SampleRate = 8_000 | 11_025 | 12_000 | 16_000 | 22_050 | 24_000 | 32_000 | 44_100 | 48_000;

/** A version of MPEG audio, for layer III in mono. */
interface Version {
  /** The id in the header: 3 is MPEG-1, 2 is MPEG-2, 0 is MPEG-2.5. */
  id: number;
  /** Ordered by their index in the header. */
  sampleRates: SampleRate[];
  samplesPerFrame: number;
  sideInfoBytes: number;
  /** Index of BITRATE. */
  bitrateIndex: number;
}

const LOW = { samplesPerFrame: 576, sideInfoBytes: 9, bitrateIndex: 8 };
const VERSIONS: Version[] = [
  {
    id: 3,
    sampleRates: [44_100, 48_000, 32_000],
    samplesPerFrame: 1152,
    sideInfoBytes: 17,
    bitrateIndex: 5,
  },
  { id: 2, sampleRates: [22_050, 24_000, 16_000], ...LOW },
  { id: 0, sampleRates: [11_025, 12_000, 8_000], ...LOW },
];

export interface Mp3Format {
  sampleRate: SampleRate;
  bitrate: 64;
  samplesPerFrame: number;
  /** Mean. Some frames have one byte more than others. */
  bytesPerFrame: number;
  /** Size of a frame without the additional byte. */
  frameBytes: number;
  sideInfoBytes: number;
  /** The first four bytes of a frame without the additional byte. */
  header: number[];
}

/** @throws RangeError for a sample rate that MP3 does not have */
export function mp3Format(hertz: number): Mp3Format {
  for (const version of VERSIONS) {
    const index = version.sampleRates.findIndex((known) => known === hertz);
    const sampleRate = version.sampleRates[index];
    if (sampleRate !== undefined) return formatOf(version, sampleRate, index);
  }
  throw new RangeError(`MP3 has no sample rate of ${hertz} Hz.`);
}

function formatOf(version: Version, sampleRate: SampleRate, index: number): Mp3Format {
  const { id, samplesPerFrame, sideInfoBytes, bitrateIndex } = version;
  const bytesPerFrame = (samplesPerFrame * BITRATE * 1000) / 8 / sampleRate;
  return {
    sampleRate,
    bitrate: BITRATE,
    samplesPerFrame,
    sideInfoBytes,
    bytesPerFrame,
    frameBytes: Math.floor(bytesPerFrame),
    header: [
      0xff,
      // The rest of the sync word, the version, layer III, no checksum.
      0xe0 | (id << 3) | 0b011,
      (bitrateIndex << 4) | (index << 2),
      // Mono, an original.
      0b1100_0100,
    ],
  };
}
