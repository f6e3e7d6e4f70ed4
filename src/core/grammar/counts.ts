import type { Conjunction } from './branches.ts';
import { numberOf } from './schema.ts';
import { invalidSchema, pathTo } from './schema-error.ts';

export interface Counts {
  min: number;
  max: number | undefined;
}

/** The largest minimum and the smallest maximum of a keyword pair such as `minItems`, `maxItems`. */
export function countsOf(schemas: Conjunction, minimum: string, maximum: string): Counts {
  const values = (keyword: string) =>
    schemas.map((schema) => numberOf(schema, keyword)).filter((value) => value !== undefined);
  const maxima = values(maximum);
  return {
    min: Math.max(0, ...values(minimum)),
    max: maxima.length > 0 ? Math.min(...maxima) : undefined,
  };
}

/**
 * As countsOf, for counts that become a grammar.
 *
 * @throws ApiError 400 if a count is above the limit
 */
export function limitedCounts(
  schemas: Conjunction,
  minimum: string,
  maximum: string,
  limit: number,
): Counts {
  const counts = countsOf(schemas, minimum, maximum);
  const { min, max = 0 } = counts;
  if (Math.max(min, max) <= limit) return counts;
  const keyword = min > limit ? minimum : maximum;
  const at = schemas.find((schema) => (numberOf(schema, keyword) ?? 0) > limit);
  throw invalidSchema(pathTo(at?.path ?? '', keyword), `must be at most ${limit}.`);
}
