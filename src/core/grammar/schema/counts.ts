import { numberOf, type Conjunction } from './schema.ts';

export interface Counts {
  min: number;
  max: number | undefined;
}

/** No value is so large. JavaScript cannot count further. */
const MOST = Number.MAX_SAFE_INTEGER;

/** The largest minimum and the smallest maximum of a keyword pair such as `minItems`, `maxItems`. */
export function countsOf(schemas: Conjunction, minimum: string, maximum: string): Counts {
  const values = (keyword: string) =>
    schemas.map((schema) => numberOf(schema, keyword)).filter((value) => value !== undefined);
  const maxima = values(maximum).filter((value) => value <= MOST);
  return {
    min: Math.min(MOST, Math.max(0, ...values(minimum))),
    max: maxima.length > 0 ? Math.min(...maxima) : undefined,
  };
}
