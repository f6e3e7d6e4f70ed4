import { quantile } from '../../bench/statistics.ts';
import { table } from '../../bench/table.ts';
import { OUTCOMES, type Verdict } from './verdict.ts';

/** The closing tables: how many schemas had which outcome, why schemas were refused, and the times. */
export function report(verdicts: readonly Verdict[]): string {
  return [outcomes(verdicts), reasons(verdicts), times(verdicts)].join('\n');
}

function outcomes(verdicts: readonly Verdict[]): string {
  const rows = OUTCOMES.map((outcome) => {
    const count = verdicts.filter((verdict) => verdict.outcome === outcome).length;
    return [outcome, String(count), `${((100 * count) / verdicts.length).toFixed(1)} %`];
  });
  const columns = [
    { title: 'outcome' },
    { title: 'schemas', isNumber: true },
    { title: 'part', isNumber: true },
  ];
  return table(columns, rows);
}

function reasons(verdicts: readonly Verdict[]): string {
  const counts = new Map<string, number>();
  for (const { outcome, detail = '' } of verdicts) {
    if (outcome !== 'refused' && outcome !== 'crashed') continue;
    const reason = reasonOf(detail);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const rows = [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([why, count]) => [why, String(count)]);
  return table([{ title: 'refused because' }, { title: 'schemas', isNumber: true }], rows);
}

/** The message without the parts that differ between schemas: names, numbers, and the path except its keyword. */
function reasonOf(message: string): string {
  const [, path = '', text = message] = /^'((?:[^']|'(?! ))*)' (.*)$/s.exec(message) ?? [];
  const keyword = /(?:^|\.)([\w$-]+)(?:\[\d+\])?$/.exec(path)?.[1] ?? '';
  return `${keyword} ${text.replaceAll(/'.*'/gs, "'…'").replaceAll(/\d+/g, 'N')}`.slice(0, 110);
}

function times(verdicts: readonly Verdict[]): string {
  const row = (title: string, values: number[]) => [
    title,
    ...[0.5, 0.95, 1].map((part) => quantile(values, part).toFixed(1)),
  ];
  const rows = [
    row(
      'conversion, CPU ms',
      verdicts.flatMap(({ convertMs }) => convertMs ?? []),
    ),
    row(
      'compilation, CPU ms',
      verdicts.flatMap(({ compileMs }) => compileMs ?? []),
    ),
    row(
      'EBNF, kB',
      verdicts.flatMap(({ size }) => (size === undefined ? [] : size / 1000)),
    ),
  ];
  const titles = ['p50', 'p95', 'most'].map((title) => ({ title, isNumber: true }));
  return table([{ title: 'times' }, ...titles], rows);
}
