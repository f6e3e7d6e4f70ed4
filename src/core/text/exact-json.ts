declare global {
  interface JSON {
    /** A value that `stringify` writes as this JSON. */
    rawJSON(json: string): unknown;
  }
}

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;

const LONG_INTEGER = /\d{16}/;
const INTEGER = /^-?\d+$/;

/** Whether a JSON text may have integers that no double holds. */
export function mayHaveLongIntegers(json: string): boolean {
  return LONG_INTEGER.test(json);
}

/**
 * Reads JSON. Integers that no double holds become bigints; browsers from before 2025 do not tell their digits, and give
 * doubles.
 *
 * @throws SyntaxError
 */
export function parseExact(json: string): unknown {
  if (!mayHaveLongIntegers(json)) return JSON.parse(json);
  const exactly: Reviver = (_key, value, context) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    const source = context?.source ?? '';
    return INTEGER.test(source) && Number.isFinite(value) ? BigInt(source) : value;
  };
  return JSON.parse(json, exactly);
}

/** The JSON of a value. Bigints are written with all their digits. */
export function stringifyExact(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // JSON.stringify is faster, but throws for a bigint.
    if (!(error instanceof TypeError)) throw error;
  }
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint' ? JSON.rawJSON(String(each)) : each,
  );
}

/** Replaces each bigint in a value, however deep, with what `change` makes of it. */
export function withoutBigints(value: unknown, change: (integer: bigint) => unknown): unknown {
  if (typeof value === 'bigint') return change(value);
  if (Array.isArray(value)) return value.map((each) => withoutBigints(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withoutBigints(each, change)]),
  );
}
