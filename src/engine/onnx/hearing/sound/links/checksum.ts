/** Continues a sum of 32 bits over more bytes. Sums of fewer bits are in its upper ones. */
export type Checksum = (bytes: Uint8Array, sum?: number) => number;

/** A cyclic redundancy check, the most significant bit first. @param polynomial - its first bit is the highest of 32 */
export function checksum(polynomial: number): Checksum {
  const table = Int32Array.from({ length: 256 }, (_, byte) => {
    let sum = byte << 24;
    for (let bit = 0; bit < 8; bit++) sum = sum < 0 ? (sum << 1) ^ polynomial : sum << 1;
    return sum;
  });
  return (bytes, start = 0) => {
    let sum = start;
    // A plain loop: every byte of a recording passes it.
    for (let at = 0; at < bytes.length; at++) {
      sum = (sum << 8) ^ (table[(sum >>> 24) ^ (bytes[at] ?? 0)] ?? 0);
    }
    return sum >>> 0;
  };
}
