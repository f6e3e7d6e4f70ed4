import * as v from 'valibot';
import type { Figure } from './figures.ts';
import type { Interval } from './statistics.ts';

/** A figure in the report for programs. Its position in the report is its key. */
type ReportedFigure = Omit<Figure, 'key' | 'note'>;

/** The report for programs: figures in nested objects, one level for each part of their keys. */
export interface Report {
  [name: string]: Report | ReportedFigure;
}

interface Located {
  path: string[];
  figure: ReportedFigure;
}

export function reportOf(figures: readonly Figure[]): Report {
  return nested(
    figures.map((figure) => ({ path: figure.key.split('.'), figure: reported(figure) })),
  );
}

function nested(figures: readonly Located[]): Report {
  const groups = Map.groupBy(figures, ({ path }) => path[0] ?? '');
  return Object.fromEntries(
    [...groups].map(([name, group]) => {
      const leaf = group.find(({ path }) => path.length === 1);
      const below = group.map(({ path, figure }) => ({ path: path.slice(1), figure }));
      return [name, leaf ? leaf.figure : nested(below)];
    }),
  );
}

/** Drops the note, which is for people, and rounds to six digits. */
function reported({
  median,
  quartiles,
  interval,
  launches,
  goal,
  verdict,
}: Figure): ReportedFigure {
  return {
    median: rounded(median),
    quartiles: roundedInterval(quartiles),
    ...(interval && { interval: roundedInterval(interval) }),
    launches,
    ...(goal && { goal }),
    ...(verdict && { verdict }),
  };
}

function roundedInterval([low, high]: Interval): Interval {
  return [rounded(low), rounded(high)];
}

function rounded(value: number): number {
  return Number(value.toPrecision(6));
}

const comparableSchema = v.object({
  median: v.number(),
  launches: v.number(),
  interval: v.exactOptional(v.tuple([v.number(), v.number()])),
});

const branchSchema = v.record(v.string(), v.unknown());

/** The part of a figure that is compared between reports. */
export type Comparable = v.InferOutput<typeof comparableSchema>;

/**
 * Reads what `npm run bench -- --json` has printed. npm prints lines of its own before the report.
 *
 * @throws Error if the last line is not a report
 */
export function parseReport(text: string): Map<string, Comparable> {
  const lastLine = text.trimEnd().split('\n').at(-1) ?? '';
  try {
    return new Map(flattened(JSON.parse(lastLine), []));
  } catch (cause) {
    throw new Error('It does not end with a report of `npm run bench -- --json`.', { cause });
  }
}

function flattened(value: unknown, path: string[]): [string, Comparable][] {
  const figure = v.safeParse(comparableSchema, value);
  if (figure.success) return [[path.join('.'), figure.output]];
  return Object.entries(v.parse(branchSchema, value)).flatMap(([name, below]) =>
    flattened(below, [...path, name]),
  );
}
