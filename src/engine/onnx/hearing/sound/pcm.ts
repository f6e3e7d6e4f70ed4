/** How the samples of an uncompressed recording are written. */
export interface PcmFormat {
  sampleRate: number;
  channels: number;
  /** Bytes of a sample, and of a frame: the samples of all channels at one moment. */
  bytes: number;
  frameBytes: number;
  /** How many bits of a sample are used. */
  bits: number;
  isLittle: boolean;
  /** `integer`: unsigned if it has one byte, otherwise signed. Telephones' codes have a table of their 256 values. */
  kind: 'integer' | 'float' | Float32Array;
  /** What an integer is divided by. */
  scale: number;
}

/** Reads one sample of a piece; full scale is ±1. */
type ReadSample = (view: DataView, frame: number, channel: number) => number;

export function sampleReader(format: Omit<PcmFormat, 'scale'> & { scale?: number }): ReadSample {
  const { bytes, frameBytes, isLittle, kind, scale = 1 } = format;
  const place = (frame: number, channel: number) => frame * frameBytes + channel * bytes;
  const reading = (read: (view: DataView, at: number) => number): ReadSample => {
    return (view, frame, channel) => read(view, place(frame, channel)) / scale;
  };
  if (kind instanceof Float32Array) {
    return (view, frame, channel) => kind[view.getUint8(place(frame, channel))] ?? 0;
  }
  if (kind === 'float') {
    return bytes === 8
      ? (view, frame, channel) => view.getFloat64(place(frame, channel), isLittle)
      : (view, frame, channel) => view.getFloat32(place(frame, channel), isLittle);
  }
  if (bytes === 1) return reading((view, at) => view.getUint8(at) - 128);
  if (bytes === 2) return reading((view, at) => view.getInt16(at, isLittle));
  if (bytes === 4) return reading((view, at) => view.getInt32(at, isLittle));
  // The lower half of 64 bits is softer than anything that can be heard.
  if (bytes === 8) return reading((view, at) => view.getInt32(isLittle ? at + 4 : at, isLittle));
  return isLittle
    ? reading((view, at) => view.getUint16(at, true) + view.getInt8(at + 2) * 65_536)
    : reading((view, at) => view.getInt8(at) * 65_536 + view.getUint16(at + 1, false));
}

/**
 * What the integers of a recording are divided by. If they have more bytes than they use, the used bits should be the
 * upper ones; some programs use the lower ones.
 *
 * @param view - some of its samples
 */
export function pcmScale(format: Omit<PcmFormat, 'scale'>, view: DataView): number {
  const { bits, bytes, kind, channels, frameBytes } = format;
  if (kind !== 'integer') return 1;
  const full = 2 ** (8 * Math.min(bytes, 4) - 1);
  const [limit, step] = [2 ** (bits - 1), 2 ** (8 * bytes - bits)];
  if (step === 1 || bytes === 1 || bytes === 8) return full;
  const read = sampleReader(format);
  let areLower = false;
  for (let frame = 0; (frame + 1) * frameBytes <= view.byteLength; frame++) {
    for (let channel = 0; channel < channels; channel++) {
      const value = read(view, frame, channel);
      if (value < -limit || value >= limit) return full;
      if (value % step !== 0) areLower = true;
    }
  }
  return areLower ? limit : full;
}

/** The samples that the 256 codes of a telephone's recording stand for (ITU-T G.711). */
export function lawDecoder(law: 'A' | 'µ'): Float32Array {
  return Float32Array.from({ length: 256 }, (_, code) => {
    const bits = law === 'A' ? code ^ 0x55 : ~code & 0xff;
    const exponent = (bits >> 4) & 7;
    const mantissa = bits & 15;
    if (law === 'µ') {
      const size = (((mantissa << 3) + 0x84) << exponent) - 0x84;
      return (bits & 0x80 ? -size : size) / 0x8000;
    }
    const size = exponent === 0 ? (mantissa << 4) + 8 : ((mantissa << 4) + 0x108) << (exponent - 1);
    return (bits & 0x80 ? size : -size) / 0x8000;
  });
}
