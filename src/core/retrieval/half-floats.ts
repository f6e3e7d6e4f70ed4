/** The number of each bit pattern of 16 bits: `Float16Array` is younger than the browsers that slashv1 runs in. */
const VALUES = Float32Array.from({ length: 65_536 }, (_, bits) => valueOf(bits));

function valueOf(bits: number): number {
  const sign = bits & 0x80_00 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3_ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** The bit patterns of the nearest numbers of 16 bits. For numbers from -1 to 1, as vectors of length 1 have. */
export function toHalfFloats(values: Float32Array): Uint16Array<ArrayBuffer> {
  return Uint16Array.from(values, (value) => {
    const size = Math.abs(value);
    const exponent = Math.max(-14, Math.floor(Math.log2(size || 2 ** -14)));
    const steps = Math.round(size * 2 ** (10 - exponent));
    // For normal numbers, the steps contain the leading 1, which adds 1 to the exponent of 14 + exponent.
    return (value < 0 ? 0x80_00 : 0) + ((exponent + 14) << 10) + steps;
  });
}

/** The dot products of a vector with each of the vectors that stand one after the other. */
export function dotProducts(halves: Uint16Array, vector: Float32Array): Float32Array<ArrayBuffer> {
  const { length } = vector;
  const products = new Float32Array(Math.floor(halves.length / length));
  const fours = products.length - (products.length % 4);
  // Four vectors at a time: each number of the query is read once for them, and no addition waits for the one before it.
  for (let index = 0; index < fours; index += 4) {
    const first = index * length;
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let at = 0; at < length; at++) {
      const number = vector[at] ?? 0;
      const place = first + at;
      a += (VALUES[halves[place] ?? 0] ?? 0) * number;
      b += (VALUES[halves[place + length] ?? 0] ?? 0) * number;
      c += (VALUES[halves[place + 2 * length] ?? 0] ?? 0) * number;
      d += (VALUES[halves[place + 3 * length] ?? 0] ?? 0) * number;
    }
    products.set([a, b, c, d], index);
  }
  for (let index = fours; index < products.length; index++) {
    let sum = 0;
    for (let at = 0; at < length; at++) {
      sum += (VALUES[halves[index * length + at] ?? 0] ?? 0) * (vector[at] ?? 0);
    }
    products[index] = sum;
  }
  return products;
}
