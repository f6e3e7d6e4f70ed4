/** Python's integers have any length. Those of more bits than this would only cost time. */
export const MOST_BITS = 10_000;

/** An int of Python; undefined: the value is something else. True and False are ints. */
export function integerOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}

/** An int as templates have it: a bigint only where a number would lose digits. */
export function anInteger(value: bigint): number | bigint {
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}

/** Python's arithmetic of ints; undefined: the result is not an int, or would be too long. */
export function wholeArithmetic(operator: string, x: bigint, y: bigint): bigint | undefined {
  switch (operator) {
    case '+':
      return x + y;
    case '-':
      return x - y;
    case '*':
      return bits(x) + bits(y) > MOST_BITS ? undefined : x * y;
    case '//':
      return (x - modulo(x, y)) / y;
    case '%':
      return modulo(x, y);
    case '**':
      return y < 0n || BigInt(bits(x)) * y > MOST_BITS ? undefined : x ** y;
    default:
      return undefined;
  }
}

/** The remainder with the sign of the divisor. */
export function modulo(x: bigint, y: bigint): bigint {
  return ((x % y) + y) % y;
}

function bits(value: bigint): number {
  return value.toString(16).length * 4;
}
