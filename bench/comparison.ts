import type { Comparable } from './report-json.ts';
import type { Interval } from './statistics.ts';
import { intervalText, numberText, table, type Column } from './table.ts';

/** Figures by key. */
type Figures = ReadonlyMap<string, Comparable>;

/** A figure in two reports; `undefined` for a report that lacks it. */
interface Row {
  key: string;
  a: Comparable | undefined;
  b: Comparable | undefined;
}

/** Two reports side by side, a line for each figure that either has. */
export function comparisonTable(
  a: Figures,
  b: Figures,
  [nameA, nameB]: readonly [string, string],
): string {
  const columns: Column[] = [
    { title: 'figure' },
    ...[nameA, '95 % interval', nameB, '95 % interval', 'ratio'].map((title) => ({
      title,
      isNumber: true,
    })),
    { title: '' },
  ];
  const keys = [...new Set([...a.keys(), ...b.keys()])];
  return table(
    columns,
    keys.map((key) => cells({ key, a: a.get(key), b: b.get(key) })),
  );
}

function cells({ key, a, b }: Row): string[] {
  const figure = (side: Comparable | undefined) =>
    side ? [numberText(side.median), intervalText(side.interval)] : ['–', ''];
  return [key, ...figure(a), ...figure(b), ratioText(a, b), mark(a, b)];
}

/** b ÷ a; empty for differences, which can be negative and have no ratio. */
function ratioText(a: Comparable | undefined, b: Comparable | undefined): string {
  if (!a || !b || a.median <= 0 || b.median <= 0) return '';
  return numberText(b.median / a.median);
}

function mark(a: Comparable | undefined, b: Comparable | undefined): string {
  if (!a || !b) return 'only in one report';
  if (!a.interval || !b.interval) return 'too few launches';
  return overlap(a.interval, b.interval) ? '' : 'DIFFERENT';
}

function overlap([lowA, highA]: Interval, [lowB, highB]: Interval): boolean {
  return lowA <= highB && lowB <= highA;
}
