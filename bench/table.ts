/** One column of a table for people; numbers are aligned at their right end. */
export interface Column {
  title: string;
  isNumber?: boolean;
}

/** Each row as a line of text, below a line of titles. */
export function table(columns: readonly Column[], rows: readonly string[][]): string {
  const all = [columns.map(({ title }) => title), ...rows];
  const widths = columns.map((_, n) => Math.max(...all.map((row) => row[n]?.length ?? 0)));
  const alignedRow = (row: string[]) =>
    columns.map(({ isNumber }, n) => {
      const [text, width] = [row[n] ?? '', widths[n] ?? 0];
      return isNumber ? text.padStart(width) : text.padEnd(width);
    });
  return all.map((row) => `${alignedRow(row).join('  ').trimEnd()}\n`).join('');
}

/** Rounds to four digits, which is more than any of these numbers is certain of. */
export function numberText(value: number): string {
  return String(Number(value.toPrecision(4)));
}

/** Empty if there is no interval. */
export function intervalText(interval: readonly [number, number] | undefined): string {
  return interval ? interval.map(numberText).join(' … ') : '';
}
