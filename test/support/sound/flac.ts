/** CRC of some bytes, the most significant bit first. */
function crc(bytes: readonly number[], width: 8 | 16, polynomial: number): number {
  const top = 1 << (width - 1);
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << (width - 8);
    for (let bit = 0; bit < 8; bit++) sum = sum & top ? (sum << 1) ^ polynomial : sum << 1;
    sum &= (top << 1) - 1;
  }
  return sum;
}

const BLOCK = 4096;

/**
 * A FLAC file of mono sound whose samples are written as they are (RFC 9639, verbatim subframes). No browser of the
 * tests has an encoder for it.
 *
 * @param samples - 16 bits each, at 16 kHz; at most 128 blocks of 4,096
 */
export function flac(samples: Int16Array): Buffer {
  const info = Buffer.alloc(34);
  info.writeUInt16BE(BLOCK, 0);
  info.writeUInt16BE(BLOCK, 2);
  // 20 bits of sample rate, 3 of channels - 1, 5 of bits - 1, 36 of the number of samples.
  info.writeUInt32BE(((16_000 << 12) | (15 << 4)) >>> 0, 10);
  info.writeUInt32BE(samples.length, 14);
  const frames: number[] = [];
  for (let at = 0, index = 0; at < samples.length; at += BLOCK, index++) {
    const block = samples.subarray(at, at + BLOCK);
    // Block size in 16 bits at the end of the header; 16 kHz; mono; 16 bits a sample.
    const header = [
      0xff,
      0xf8,
      0x75,
      0x08,
      index,
      (block.length - 1) >> 8,
      (block.length - 1) & 255,
    ];
    const frame = [...header, crc(header, 8, 0x07), 0x02];
    for (const sample of block) frame.push((sample >> 8) & 255, sample & 255);
    const sum = crc(frame, 16, 0x8005);
    frames.push(...frame, sum >> 8, sum & 255);
  }
  return Buffer.concat([
    Buffer.from('fLaC'),
    Buffer.from([0x80, 0, 0, info.length]),
    info,
    Buffer.from(frames),
  ]);
}
