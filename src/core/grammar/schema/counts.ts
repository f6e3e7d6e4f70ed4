import { numberOf, type Conjunction } from './schema.ts';

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
