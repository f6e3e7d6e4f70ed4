import * as v from 'valibot';
import { withoutBigints } from '../../src/core/text/exact-json.ts';

/** A field that may be absent; null means absent, everywhere in the API. */
export const optional = <S extends v.GenericSchema>(schema: S) => v.nullish(schema);

/** A field with a name of another API, which would be lost. @param right - where its value belongs */
export const misplaced = (right: string) =>
  optional(v.custom<undefined>(() => false, `is unknown: its value belongs in ${right}`));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A JSON object with these fields; its other fields are dropped. To Valibot alone, arrays are objects too. */
export const object = <E extends v.ObjectEntries>(entries: E, message = 'must be an object') =>
  v.pipe(v.custom<Record<string, unknown>>(isObject, message), v.object(entries, message));

/**
 * A JSON object with these fields and no others. It is for objects that say what may be done: a field in the wrong place
 * would be lost.
 */
export const closedObject = <E extends v.ObjectEntries>(entries: E) => {
  const known = v.object(entries, 'must be an object');
  return v.pipe(
    v.custom<Record<string, unknown>>(isObject, 'must be an object'),
    v.rawCheck<Record<string, unknown>>(({ dataset, addIssue }) => {
      // What is missing says more than what is unknown.
      if (!dataset.typed || !v.is(known, dataset.value)) return;
      const input = dataset.value;
      const members: [string, unknown][] = Object.entries(input);
      for (const [key, value] of members) {
        if (value == null || Object.hasOwn(entries, key)) continue;
        const message = `is unknown: there may be ${Object.keys(entries).join(', ')}`;
        const at = { type: 'object', origin: 'value', input, key, value } as const;
        addIssue({ message, path: [at] });
      }
    }),
    known,
  );
};

/** A JSON object with any keys, which is passed on unchanged: Valibot's record loses some keys. */
export const anyObject = v.custom<Record<string, unknown>>(isObject, 'must be an object');

/** The `type` of an object, which decides its schema; undefined if it is not a string. */
export function typeOf(value: unknown): string | undefined {
  const type = isObject(value) ? value['type'] : undefined;
  return typeof type === 'string' ? type : undefined;
}

/** A JSON object with any keys, with doubles for all its numbers. */
export const plainObject = v.pipe(
  anyObject,
  v.transform((given) =>
    Object.fromEntries(
      Object.entries(given).map(([key, value]) => [key, withoutBigints(value, Number)]),
    ),
  ),
);

/** Most entries of `metadata`: OpenAI's limit. */
const MOST_NOTES = 16;

/** What a caller notes about an object. It is given back, and nothing depends on it. */
export const metadata = v.pipe(
  anyObject,
  v.check(
    (given) => Object.keys(given).length <= MOST_NOTES,
    `must have at most ${MOST_NOTES} entries`,
  ),
  v.check(
    (given) => Object.values(given).every((each) => typeof each === 'string'),
    'must have strings as values',
  ),
);

/** A number. Integers that no double holds are bigints in a body. */
export const number = (message: string) =>
  v.pipe(
    v.custom<number | bigint>((x) => typeof x === 'number' || typeof x === 'bigint', message),
    v.transform(Number),
  );

export const text = v.string('must be a string');
export const nonEmptyText = v.pipe(
  text,
  v.check((given) => given !== '', 'must not be empty'),
);
export const flag = v.custom<boolean>((x) => typeof x === 'boolean', 'must be a boolean');
const whole = (message: string) =>
  v.pipe(
    number(message),
    v.check((x) => Number.isInteger(x), message),
  );

export const integer = whole('must be an integer');
export const anyInteger = optional(integer);

/** An integer that is not less than this. */
export const atLeast = (min: number) =>
  v.pipe(
    integer,
    v.check((x) => x >= min, `must be at least ${min}`),
  );

/** A token by its number. */
export const tokenId = v.pipe(
  whole('must be a token id'),
  v.check((id) => id >= 0, 'must be a token id'),
);

export const numberIn = (min: number, max: number) =>
  optional(
    v.pipe(
      number('must be a number'),
      v.check((x) => x >= min && x <= max, `must be between ${min} and ${max}`),
    ),
  );

export const integerFrom = (min: number) => optional(atLeast(min));

export const integerBetween = (min: number, max: number) =>
  v.pipe(
    integer,
    v.check((x) => x >= min && x <= max, `must be between ${min} and ${max}`),
  );

export const integerIn = (min: number, max: number) => optional(integerBetween(min, max));

/** The id of a model, on every endpoint. */
export const model = nonEmptyText;
