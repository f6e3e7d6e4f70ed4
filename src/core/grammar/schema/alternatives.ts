import { complement } from './complement.ts';
import { dependencies } from './dependencies.ts';
import type { Document } from './document.ts';
import {
  negation,
  derive,
  subschema,
  subschemaList,
  type Checked,
  type Group,
  type Located,
} from './schema.ts';
import { SchemaError } from './schema-error.ts';
import { isConstraint } from './types.ts';

/** With more alternatives, comparing each pair of them would take seconds. */
const MAX_COMPARED = 500;
/** Each alternative is combined with everything that violates those that it overlaps with. */
const MAX_OVERLAPPING = 100;

/** Whether it is certain that no value is valid under both. */
type AreExclusive = (a: Located[], b: Located[]) => boolean;

/**
 * The choices that a schema leaves open: one of the alternatives of each group must hold.
 *
 * @param areExclusive - undefined: values that match several alternatives of `oneOf` count as valid
 */
export function alternativeGroups(
  checked: Checked,
  document: Document,
  areExclusive?: AreExclusive,
): Group[] {
  const any = subschemaList(checked, 'anyOf').map((schema) => [schema]);
  const one = areExclusive
    ? exactlyOne(checked, document, areExclusive)
    : subschemaList(checked, 'oneOf').map((schema) => [schema]);
  const not = subschema(checked, 'not');
  return [
    ...(any.length > 0 ? [any] : []),
    ...(one.length > 0 ? [one] : []),
    ...(not ? [complement(not, document)] : []),
    ...condition(checked),
    ...dependencies(checked),
  ];
}

/** Each alternative of `oneOf`, without what others allow too. */
function exactlyOne(checked: Checked, document: Document, areExclusive: AreExclusive): Group {
  const alternatives = subschemaList(checked, 'oneOf');
  if (alternatives.length > MAX_COMPARED) tooMany(checked);
  const own = ownKeywords(checked);
  const overlap = (a: Located, b: Located) => !areExclusive([own, a], [own, b]);
  return alternatives.map((one) => {
    const others = alternatives.filter((other) => other !== one && overlap(one, other));
    if (others.length > MAX_OVERLAPPING) tooMany(checked);
    return [one, ...others.map((other) => without(other, one, document))];
  });
}

function tooMany({ path }: Checked): never {
  throw new SchemaError(path, 'has too many combinations of alternatives.');
}

/** A schema without the keywords that combine others: through them, it could contain itself. */
function ownKeywords(checked: Checked): Checked {
  const kept = Object.entries(checked.schema).filter(([keyword]) => isConstraint(keyword));
  return derive(checked, 'own', Object.fromEntries(kept));
}

/** The schema that excludes the values of `other`, which overlaps with `one`. */
function without(other: Located, one: Located, document: Document): Located {
  try {
    complement(other, document);
    return negation(other);
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    const hint = 'use anyOf, or make the two mutually exclusive.';
    throw new SchemaError(one.path, `may match the same values as '${other.path}': ${hint}`);
  }
}

function condition(checked: Checked): Group[] {
  const [asked, then, otherwise] = ['if', 'then', 'else'].map((name) => subschema(checked, name));
  if (!asked || (!then && !otherwise)) return [];
  return [
    [
      [asked, ...(then ? [then] : [])],
      [negation(asked), ...(otherwise ? [otherwise] : [])],
    ],
  ];
}
