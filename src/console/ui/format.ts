import { locale, numberFormat } from '../messages/locale.ts';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** At most three significant digits: `7.4 MB`, `88 MB`, `1.83 GB`. Units are decimal, as for downloads. */
export function formatBytes(bytes: number): string {
  const rounded = Number(bytes.toPrecision(3));
  const power = powerOf(rounded);
  return withUnit(rounded / 1000 ** power, power, { maximumSignificantDigits: 3 });
}

/** `38.2 of 88.1 MB`, both in the unit of the total. If the total is 0 (unknown), only the loaded bytes. */
export function formatBytesOf(loaded: number, total: number): string {
  if (total <= 0) return formatBytes(loaded);
  const power = powerOf(total);
  const digits = power === 0 ? 0 : power >= 3 ? 2 : 1;
  const size = 1000 ** power;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return fill(messages.value.ui.bytesOf, {
    part: format(loaded / size, options),
    whole: withUnit(total / size, power, options),
  });
}

/** `12 MB/s` */
export function formatBytesPerSecond(bytes: number): string {
  return fill(messages.value.ui.perSecond, { amount: formatBytes(bytes) });
}

function withUnit(value: number, power: number, options: Intl.NumberFormatOptions): string {
  const plain = { ...options, useGrouping: false };
  if (power === 0) return fill(messages.value.ui.bytes, { count: format(value, plain) });
  const unit = BYTE_UNITS[power] ?? 'byte';
  return format(value, { ...plain, style: 'unit', unit, unitDisplay: 'short' });
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
  return format(Math.min(Math.max(percent, 0), 100) / 100, { style: 'percent' });
}

/** `0.42 s`, `8.1 s`, `3 min`: deliberately rough from a minute on. */
export function formatSeconds(seconds: number): string {
  const { ui } = messages.value;
  if (seconds < 1) return fill(ui.seconds, { count: formatFixed(seconds, 2) });
  if (seconds < 10) return fill(ui.seconds, { count: formatFixed(seconds, 1) });
  if (seconds < 59.5) return fill(ui.seconds, { count: formatFixed(seconds, 0) });
  if (seconds < 59.5 * 60) return fill(ui.minutes, { count: formatFixed(seconds / 60, 0) });
  return fill(ui.hours, { count: formatFixed(seconds / 3600, 1) });
}

/** `0.8`, `18.4`, `128`: one decimal below 100, none above. */
export function formatRate(perSecond: number): string {
  return formatFixed(perSecond, perSecond < 100 ? 1 : 0);
}

/** `1,234` */
export function formatNumber(value: number): string {
  return format(value, {});
}

/** `0.170`: with so many decimals, and without separators of thousands. */
export function formatFixed(value: number, digits: number): string {
  return format(value, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  });
}

/** `3/4/2026, 2:05:00 PM` */
export function formatDateTime(at: number): string {
  return new Date(at).toLocaleString(locale.value);
}

/** `Mar 4, 2026` */
export function formatDate(at: number): string {
  return new Date(at).toLocaleDateString(locale.value, { dateStyle: 'medium' });
}

/** `14:05:00` */
export function formatTime(at: number): string {
  return new Date(at).toLocaleTimeString(locale.value, { hour12: false });
}

function format(value: number, options: Intl.NumberFormatOptions): string {
  return numberFormat(options).format(value);
}
