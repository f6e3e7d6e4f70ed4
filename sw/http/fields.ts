import * as v from 'valibot';

/** A field that may be absent; null means absent, everywhere in the API. */
export const optional = <S extends v.GenericSchema>(schema: S) => v.nullish(schema);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A JSON object with these fields, without its other ones. To Valibot alone, arrays are objects too. */
export const object = <E extends v.ObjectEntries>(entries: E, message = 'must be an object') =>
  v.pipe(v.custom<Record<string, unknown>>(isObject, message), v.object(entries, message));

/** A JSON object with any keys, which is passed on unchanged: Valibot's record loses some keys. */
export const anyObject = v.custom<Record<string, unknown>>(isObject, 'must be an object');

export const text = v.string('must be a string');
export const nonEmptyText = v.pipe(text, v.nonEmpty('must not be empty'));
export const flag = v.boolean('must be a boolean');
const integer = v.pipe(v.number('must be an integer'), v.integer('must be an integer'));

export const anyInteger = optional(integer);

export const numberIn = (min: number, max: number) =>
  optional(
    v.pipe(
      v.number('must be a number'),
      v.check((x) => x >= min && x <= max, `must be between ${min} and ${max}`),
    ),
  );

export const integerFrom = (min: number) =>
  optional(v.pipe(integer, v.minValue(min, `must be at least ${min}`)));

export const integerIn = (min: number, max: number) =>
  optional(
    v.pipe(
      integer,
      v.check((x) => x >= min && x <= max, `must be between ${min} and ${max}`),
    ),
  );

/** The id of a model, on every endpoint. */
export const model = nonEmptyText;
