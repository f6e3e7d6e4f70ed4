import { choice, EMPTY, NEVER, sequence, text, type Expression } from '../../ebnf/expression.ts';
import type { Conjunction, Counts } from '../../schema/schema.ts';
import { pathTo, SchemaError } from '../../schema/schema-error.ts';
import { elementDemands, elementSchemas, prefixLength, type ArrayTools } from './elements.ts';

/** The most sets of written values, each of which has a rule. */
const MAX_SETS = 600;

/** The elements of an array that has no value twice. There must be a list of the values. */
export function uniqueElements(
  schemas: Conjunction,
  { min, max }: Counts,
  key: string,
  { maker, form, enumerate }: ArrayTools,
): Expression {
  const at = schemas.find(({ schema }) => schema['uniqueItems'] === true);
  const path = pathTo(at?.path ?? '', 'uniqueItems');
  const isPlain = prefixLength(schemas) === 0 && elementDemands(schemas).length === 0;
  const values = isPlain ? enumerate(elementSchemas(schemas, 0)) : undefined;
  if (!values) throw new SchemaError(path, 'is supported only for a list of values, as of enum.');
  const most = Math.min(max ?? values.length, values.length);
  if (setsOf(values.length, most) > MAX_SETS) throw new SchemaError(path, 'has too many values.');
  /** The rest of the array after the values at these places, which are written in any order. */
  const after = (written: readonly number[]): Expression =>
    maker.define(`${key} without ${written.join()}`, () => {
      const end = written.length >= min ? EMPTY : NEVER;
      if (written.length >= most) return end;
      const ways = values.flatMap((value, place) =>
        written.includes(place)
          ? []
          : [
              sequence(
                written.length > 0 ? form.comma : EMPTY,
                maker.define(`value ${form.listed(value)}`, () => text(form.listed(value))),
                after([...written, place].sort((a, b) => a - b)),
              ),
            ],
      );
      return choice(end, ...ways);
    });
  return after([]);
}

/** The number of sets of at most `most` of so many values. */
function setsOf(values: number, most: number): number {
  let [total, ofSize] = [1, 1];
  for (let size = 1; size <= most && total <= MAX_SETS; size++) {
    ofSize = (ofSize * (values - size + 1)) / size;
    total += ofSize;
  }
  return total;
}
