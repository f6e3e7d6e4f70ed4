type Part = string | Uint8Array | { u16: number } | { u32: number } | { u64: number };

/** Bytes from texts and numbers, little-endian or big-endian. */
export function bytes(parts: readonly Part[], isLittle = true): Uint8Array<ArrayBuffer> {
  return new Uint8Array(
    parts.flatMap((part): number[] => {
      if (typeof part === 'string') return [...new TextEncoder().encode(part)];
      if (part instanceof Uint8Array) return [...part];
      const view = new DataView(new ArrayBuffer(8));
      if ('u16' in part) view.setUint16(0, part.u16, isLittle);
      else if ('u32' in part) view.setUint32(0, part.u32, isLittle);
      else view.setBigUint64(0, BigInt(part.u64), isLittle);
      const length = 'u16' in part ? 2 : 'u32' in part ? 4 : 8;
      return [...new Uint8Array(view.buffer, 0, length)];
    }),
  );
}

/** A chunk of a WAV file, with its padding. @param size - as it states it */
export function chunk(
  id: string,
  content: Uint8Array,
  { size = content.length, isLittle = true }: { size?: number; isLittle?: boolean } = {},
): Uint8Array<ArrayBuffer> {
  const padding = new Uint8Array(content.length % 2);
  return bytes([id, { u32: size }, content, padding], isLittle);
}

interface Format {
  tag?: number;
  channels?: number;
  rate?: number;
  /** Bits of a sample that the header states. */
  bits?: number;
  /** Bytes of a sample. */
  width?: number;
  isLittle?: boolean;
  /** Bits that are used, in an extensible header. */
  valid?: number;
}

export function formatChunk(format: Format = {}): Uint8Array<ArrayBuffer> {
  const { tag = 1, channels = 1, rate = 16_000, bits = 16, isLittle = true, valid } = format;
  const { width = Math.ceil(bits / 8) } = format;
  const frame = width * channels;
  const guid = new Uint8Array([0, 0, 0, 0, 16, 0, 128, 0, 0, 170, 0, 56, 155, 113]);
  const more: Part[] = [{ u16: 22 }, { u16: valid ?? 0 }, { u32: 4 }, { u16: tag }, guid];
  const content = bytes(
    [
      { u16: valid === undefined ? tag : 0xfffe },
      { u16: channels },
      { u32: rate },
      { u32: rate * frame },
      { u16: frame },
      { u16: bits },
      ...(valid === undefined ? [] : more),
    ],
    isLittle,
  );
  return chunk('fmt ', content, { isLittle });
}

/** A WAV file of these chunks. @param size - as its header states it */
export function wave(
  chunks: readonly Uint8Array[],
  { kind = 'RIFF', size }: { kind?: string; size?: number } = {},
): Blob {
  const length = chunks.reduce((sum, { length: each }) => sum + each, 4);
  const parts = [kind, { u32: size ?? length }, 'WAVE', ...chunks];
  return new Blob([bytes(parts, kind !== 'RIFX')]);
}
