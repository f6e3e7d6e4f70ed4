import { choice, EMPTY, NEVER, sequence, type Expression } from '../../ebnf/expression.ts';
import { negation, type Conjunction, type Located, type Counts } from '../../schema/schema.ts';
import { elementSchemas, prefixLength, type ArrayTools, type ElementDemand } from './elements.ts';

/** Longer arrays with demands on some of their elements are left out: they would need too many rules. */
const MAX_COUNTED = 64;

/** The state of an array that is being written. */
interface Progress {
  /** How many elements are written, counted up to the largest number that matters. */
  index: number;
  /** For each demand, how many elements satisfied it, counted up to the largest number that matters. */
  counts: readonly number[];
}

/** The elements of an array, some of which must satisfy schemas of their own. */
export function demandingElements(
  schemas: Conjunction,
  demands: readonly ElementDemand[],
  { min, max }: Counts,
  key: string,
  { maker, form, value }: ArrayTools,
): Expression {
  const most = max === undefined ? undefined : Math.min(max, Math.max(min, MAX_COUNTED));
  const positions = [min, most ?? 0, prefixLength(schemas), ...demands.map(({ from }) => from)];
  const last = Math.max(1, ...positions);
  const after = ({ index, counts }: Progress): Expression =>
    maker.define(`${key} after ${index}: ${counts.join()}`, () => {
      const isEnough = demands.every((demand, at) => (counts[at] ?? 0) >= demand.min);
      const end = isEnough && index >= min ? EMPTY : NEVER;
      if (most !== undefined && index >= most) return end;
      const ways = waysOn(demands, index, counts).map((way) =>
        sequence(
          index > 0 ? form.comma : EMPTY,
          value([...elementSchemas(schemas, index), ...way.schemas]),
          after({ index: Math.min(index + 1, last), counts: way.counts }),
        ),
      );
      return choice(end, ...ways);
    });
  return after({ index: 0, counts: demands.map(() => 0) });
}

interface Way {
  /** What the next element must satisfy beyond the schemas of its place. */
  schemas: Located[];
  counts: number[];
}

/** The ways to write the next element: for each demand, it satisfies the demand and counts, or it does not count. */
function waysOn(
  demands: readonly ElementDemand[],
  index: number,
  counts: readonly number[],
): Way[] {
  const start: Way[] = [{ schemas: [], counts: [] }];
  return demands.reduce((ways, demand, at) => {
    const count = counts[at] ?? 0;
    const options = optionsOf(demand, index, count);
    return ways.flatMap((way) =>
      options.map((option) => ({
        schemas: [...way.schemas, ...option.schemas],
        counts: [...way.counts, option.count],
      })),
    );
  }, start);
}

function optionsOf({ schema, min, max, from }: ElementDemand, index: number, count: number) {
  const uncounted = { schemas: max === undefined ? [] : [negation(schema)], count };
  if (index < from || (max === undefined && count >= min)) return [{ schemas: [], count }];
  const counted = { schemas: [schema], count: count + 1 };
  return max !== undefined && count >= max ? [uncounted] : [counted, uncounted];
}
