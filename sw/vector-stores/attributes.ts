import { invalidRequest } from '../../src/core/errors/errors.ts';
import type { Attributes, Filter } from '../../src/core/retrieval/filters.ts';

const MOST_ATTRIBUTES = 16;
const MOST_KEY = 64;
const MOST_TEXT = 512;
const MOST_LEVELS = 8;

type Value = Attributes[string];

/** @throws ApiError 400 with the path of the first offending attribute */
export function checkAttributes(given: Record<string, unknown>, field: string): Attributes {
  const all = Object.entries(given);
  if (all.length > MOST_ATTRIBUTES) {
    throw invalidRequest(`'${field}' must have at most ${MOST_ATTRIBUTES} entries.`, field);
  }
  return Object.fromEntries(
    all.map(([key, value]) => {
      const param = `${field}.${key}`;
      if (key.length > MOST_KEY) {
        throw invalidRequest(`A key of '${field}' is longer than ${MOST_KEY} characters.`, field);
      }
      if (isValue(value) && !(typeof value === 'string' && value.length > MOST_TEXT)) {
        return [key, value];
      }
      const what = `a text of up to ${MOST_TEXT} characters, a number or a boolean`;
      throw invalidRequest(`'${param}' must be ${what}.`, param);
    }),
  );
}

function isValue(value: unknown): value is Value {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

const COMPARISONS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const;
const MEMBERSHIPS = ['in', 'nin'] as const;
const CONNECTIVES = ['and', 'or'] as const;

/** @throws ApiError 400 with the path of the first offending part */
export function readFilter(given: unknown, field: string, levels = MOST_LEVELS): Filter {
  if (levels === 0) throw invalidRequest(`'${field}' is nested too deeply.`, field);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw invalidRequest(`'${field}' must be an object.`, field);
  }
  const { type, key, value, filters }: Record<string, unknown> = { ...given };
  const connective = CONNECTIVES.find((each) => each === type);
  if (connective) {
    return {
      type: connective,
      filters: listOf(filters, `${field}.filters`).map((each, at) =>
        readFilter(each, `${field}.filters[${at}]`, levels - 1),
      ),
    };
  }
  const membership = MEMBERSHIPS.find((each) => each === type);
  const comparison = COMPARISONS.find((each) => each === type);
  if (!membership && !comparison) {
    const known = [...COMPARISONS, ...MEMBERSHIPS, ...CONNECTIVES].join(', ');
    throw invalidRequest(`'${field}.type' must be one of ${known}.`, `${field}.type`);
  }
  if (typeof key !== 'string') {
    throw invalidRequest(`'${field}.key' must be a string.`, `${field}.key`);
  }
  if (membership) {
    const values = listOf(value, `${field}.value`);
    return { type: membership, key, value: values.map((each) => valueOf(each, `${field}.value`)) };
  }
  return { type: comparison ?? 'eq', key, value: valueOf(value, `${field}.value`) };
}

function listOf(given: unknown, field: string): unknown[] {
  if (Array.isArray(given)) return given;
  throw invalidRequest(`'${field}' must be an array.`, field);
}

/** Integers that no double holds are bigints in a body. */
function valueOf(given: unknown, field: string): Value {
  const value = typeof given === 'bigint' ? Number(given) : given;
  if (isValue(value)) return value;
  throw invalidRequest(`'${field}' must be a text, a number or a boolean.`, field);
}
