import type { Figure } from './figures.ts';
import { intervalText, numberText, table, type Column } from './table.ts';
import type { Goal } from './verdict.ts';

const COLUMNS: Column[] = [
  { title: 'figure' },
  { title: 'median', isNumber: true },
  { title: 'quartiles', isNumber: true },
  { title: '95 % interval', isNumber: true },
  { title: 'launches', isNumber: true },
  { title: 'goal' },
  { title: 'verdict' },
  { title: '' },
];

/** The report for people: a line for each figure. */
export function reportTable(figures: readonly Figure[]): string {
  return table(COLUMNS, figures.map(reportRow));
}

function reportRow(figure: Figure): string[] {
  const { key, median, quartiles, interval, launches, goal, verdict = '', note = '' } = figure;
  return [
    ...[key, numberText(median), intervalText(quartiles), intervalText(interval)],
    ...[String(launches), goalText(goal)],
    ...[verdict === 'missed' ? 'MISSED' : verdict, note],
  ];
}

function goalText(goal: Goal | undefined): string {
  if (!goal) return '';
  return 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
}
