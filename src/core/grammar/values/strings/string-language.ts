import {
  intersect,
  lengthAutomaton,
  otherTextsAutomaton,
  TooComplex,
} from '../../regular/automaton.ts';
import type { Automaton } from '../../regular/state.ts';
import { lengthsOf } from '../../regular/text-lengths.ts';
import { costlyStates, MANY } from '../../regular/automaton-rules.ts';
import { hasLoopAfterLoop } from '../../regular/bounded-loops.ts';
import { boundedPatternAutomaton, patternAutomaton } from '../../regular/pattern-automaton.ts';
import { withPatternErrors } from '../../regular/pattern-errors.ts';
import { jsonText } from '../../schema/canonical.ts';
import {
  stringOf,
  type Checked,
  type Conjunction,
  countsOf,
  type Counts,
} from '../../schema/schema.ts';
import { pathTo } from '../../schema/schema-error.ts';
import { formatPattern, limitedFormatPattern, loosePattern } from './formats.ts';

/** Characters. If counting up to `maxLength` is too complex, the limit is the largest of these that is not. */
const SHORTER = [1000, 256, 128, 64];
/** The most states in which many tokens fit. States that only count characters are left out of this number. */
const MAX_COSTLY = 400;
/** With more of these states, texts of several parts have a limit for each part, if that is simpler. */
const MAX_EXACT = 100;

/** A key that schemas share only if they allow the same texts. */
export function languageKey(schemas: Conjunction): string {
  return jsonText([
    countsOf(schemas, 'minLength', 'maxLength'),
    schemas.flatMap((schema) => stringOf(schema, 'pattern') ?? []),
    schemas.flatMap((schema) => stringOf(schema, 'format') ?? []),
    schemas.flatMap(({ derived }) => derived?.excluded ?? []),
  ]);
}

/**
 * How formats are read. `written`: the texts that the grammar allows, which are fewer than those of the format.
 * `possible`: all texts that may be valid.
 */
export type Reading = 'written' | 'possible';

/**
 * Accepts the texts that all patterns, formats and counts allow, without those that are excluded; undefined
 * if there are only counts.
 *
 * @throws SchemaError for a pattern or format that cannot be enforced
 */
export function stringLanguage(
  schemas: Conjunction,
  reading: Reading = 'written',
): Automaton | undefined {
  const counts = countsOf(schemas, 'minLength', 'maxLength');
  const excluded = schemas.flatMap(({ derived }) => derived?.excluded ?? []);
  const others = excluded.filter((value) => typeof value === 'string');
  const hasPattern = schemas.some(({ schema }) => schema['pattern'] !== undefined);
  const automata = [
    ...schemas.flatMap((schema) => [
      ...fromPattern(schema, 'pattern', stringOf(schema, 'pattern')),
      ...(reading === 'written'
        ? fromFormat(schema, hasPattern, counts)
        : fromPattern(schema, 'format', loosePattern(stringOf(schema, 'format')))),
    ]),
    ...(others.length > 0 ? [otherTextsAutomaton(others)] : []),
  ];
  const [first, ...more] = automata;
  if (!first) return undefined;
  const at = schemas.find(({ schema }) => schema['pattern'] ?? schema['format']) ?? schemas[0];
  const keyword = at?.schema['pattern'] === undefined ? 'format' : 'pattern';
  return withPatternErrors(pathTo(at?.path ?? '', keyword), () => {
    const all = more.reduce(intersect, first);
    const { max } = counts;
    if (reading === 'possible' || max === undefined) return limited(all, counts);
    const bound = () => bounded(all, schemas, { ...counts, max });
    // Counting takes long, so it is skipped if each length would surely need states of its own.
    const early = max > MAX_EXACT && hasLoopAfterLoop(all, MANY) ? bound() : undefined;
    if (early && costlyStates(early) <= MAX_EXACT) return early;
    const exact = limited(all, counts);
    if (costlyStates(exact) <= MAX_EXACT) return exact;
    const found = early ?? bound();
    return found && costlyStates(found) < costlyStates(exact) ? found : exact;
  });
}

/**
 * The texts of an automaton, without some of the longest: each repetition in the patterns has a limit. Undefined
 * if that is too complex or does not keep the texts short enough.
 */
function bounded(
  all: Automaton,
  schemas: Conjunction,
  counts: Counts & { max: number },
): Automaton | undefined {
  try {
    const automaton = schemas
      .flatMap((schema) => stringOf(schema, 'pattern') ?? [])
      .map((source) => boundedPatternAutomaton(source, counts.max))
      .reduce(intersect, all);
    const isShort = lengthsOf(automaton).longest <= counts.max;
    return automaton.length > 0 && isShort ? limited(automaton, counts) : undefined;
  } catch (error) {
    if (error instanceof TooComplex) return undefined;
    throw error;
  }
}

function fromFormat(schema: Checked, hasPattern: boolean, { max }: Counts): Automaton[] {
  const format = stringOf(schema, 'format');
  const source = formatPattern(format, hasPattern);
  const all = fromPattern(schema, 'format', source);
  if (format === undefined || max === undefined) return all;
  const isLimited = all.every((automaton) => lengthsOf(automaton).longest <= max);
  return isLimited
    ? all
    : fromPattern(schema, 'format', limitedFormatPattern(format, max) ?? source);
}

function fromPattern(schema: Checked, keyword: string, source: string | undefined): Automaton[] {
  if (!source) return [];
  return [withPatternErrors(pathTo(schema.path, keyword), () => patternAutomaton(source))];
}

/**
 * The texts of an automaton whose length is within the counts. If counting up to the largest length is too
 * complex, they are shorter.
 */
export function limited(automaton: Automaton, { min, max }: Counts): Automaton {
  const { shortest, longest } = lengthsOf(automaton);
  const least = shortest >= min ? 0 : min;
  if (max === undefined || longest <= max) {
    return least === 0 ? automaton : intersect(automaton, lengthAutomaton(least, undefined));
  }
  const limits = [max, ...SHORTER.filter((limit) => limit < max && limit > 2 * min)];
  return simplest(limits.map((limit) => () => intersect(automaton, lengthAutomaton(least, limit))));
}

/** The first automaton that is not too complex. */
function simplest([first, ...more]: (() => Automaton)[]): Automaton {
  try {
    const automaton = first?.() ?? [];
    if (more.length === 0 || costlyStates(automaton) <= MAX_COSTLY) return automaton;
  } catch (error) {
    if (!(error instanceof TooComplex) || more.length === 0) throw error;
  }
  return simplest(more);
}
