const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** At most three significant digits: `7.4 MB`, `88 MB`, `1.83 GB`. Units are decimal, as for downloads. */
export function formatBytes(bytes: number): string {
  const rounded = Number(bytes.toPrecision(3));
  const power = powerOf(rounded);
  return `${Number((rounded / 1000 ** power).toPrecision(3))} ${BYTE_UNITS[power] ?? 'B'}`;
}

/** `38.2 of 88.1 MB`, both in the unit of the total. If the total is 0 (unknown), only the loaded bytes. */
export function formatBytesOf(loaded: number, total: number): string {
  if (total <= 0) return formatBytes(loaded);
  const power = powerOf(total);
  const digits = power === 0 ? 0 : power >= 3 ? 2 : 1;
  const [part, whole] = [loaded, total].map((bytes) => (bytes / 1000 ** power).toFixed(digits));
  return `${part} of ${whole} ${BYTE_UNITS[power] ?? 'B'}`;
}

/** Index of the unit in which the number is below 1000. */
function powerOf(bytes: number): number {
  let power = 0;
  while (bytes >= 1000 ** (power + 1) && power < BYTE_UNITS.length - 1) power += 1;
  return power;
}

/** Whole percent, rounded down: never 100 before the end. */
export function formatPercent(fraction: number): string {
  const percent = Math.floor(fraction * 100);
  return `${Math.min(Math.max(percent, 0), 100)} %`;
}

/** `0.42 s`, `8.1 s`, `3 min`: deliberately rough from a minute on. */
export function formatSeconds(seconds: number): string {
  if (seconds < 1) return `${seconds.toFixed(2)} s`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  if (seconds < 59.5 * 60) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** `0.8`, `18.4`, `128`: one decimal below 100, none above. */
export function formatRate(perSecond: number): string {
  return perSecond < 100 ? perSecond.toFixed(1) : String(Math.round(perSecond));
}

/** `1,234` */
export function formatNumber(value: number): string {
  return value.toLocaleString('en');
}

export function formatCount(count: number, unit: string): string {
  return `${formatNumber(count)} ${unit}${count === 1 ? '' : 's'}`;
}
