/** The constants of MurmurHash3, 128 bits for 32-bit processors. */
const [F1, F2, F3, F4] = [0x239b961b, 0xab0e9789, 0x38b34ae5, 0xa1e38b93];
/** Bytes that are mixed at once. */
const BLOCK = 16;

/**
 * Hashes a content to 128 bits, as text, with the mixing of MurmurHash3 (x86, 128 bits). Some code that compares
 * prompts cannot wait for the browser's digest. The key is not secure: two contents with the same key can be made on
 * purpose.
 */
export function contentKey(bytes: Uint8Array): string {
  const { length } = bytes;
  const whole = length - (length % BLOCK);
  // The rest, padded with zeros.
  const last = new Uint8Array(BLOCK);
  last.set(bytes.subarray(whole));
  let [a, b, c, d] = [length, length, length, length];
  for (const part of [bytes.subarray(0, whole), last]) {
    const view = new DataView(part.buffer, part.byteOffset, part.byteLength);
    for (let at = 0; at < part.length; at += BLOCK) {
      a ^= Math.imul(rotated(Math.imul(view.getInt32(at, true), F1), 15), F2);
      a = (Math.imul((rotated(a, 19) + b) | 0, 5) + 0x561ccd1b) | 0;
      b ^= Math.imul(rotated(Math.imul(view.getInt32(at + 4, true), F2), 16), F3);
      b = (Math.imul((rotated(b, 17) + c) | 0, 5) + 0x0bcaa747) | 0;
      c ^= Math.imul(rotated(Math.imul(view.getInt32(at + 8, true), F3), 17), F4);
      c = (Math.imul((rotated(c, 15) + d) | 0, 5) + 0x96cd1c35) | 0;
      d ^= Math.imul(rotated(Math.imul(view.getInt32(at + 12, true), F4), 18), F1);
      d = (Math.imul((rotated(d, 13) + a) | 0, 5) + 0x32ac3b17) | 0;
    }
  }
  const sum = (a + b + c + d) | 0;
  return [sum, b + sum, c + sum, d + sum]
    .map((state) => finished(state).toString(36).padStart(7, '0'))
    .join('');
}

function rotated(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

/** Each bit of the state changes all others. */
function finished(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
