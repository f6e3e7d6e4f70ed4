import type { Progress } from '../../index.ts';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import { formatBytesOf, formatBytesPerSecond, formatPercent, formatSeconds } from '../ui/format.ts';

/** A model's progress as the status bar shows it. */
export interface ProgressText {
  title: string;
  /** `38.2 of 88.1 MB · 12 MB/s · 4 s left`, or the reason of a failure. */
  detail: string;
  /** `43 %`, or empty while the total is not known. */
  percent: string;
  /** From 0 to 1; null while the total is not known. */
  fraction: number | null;
}

/** The engine's texts that say more than the stage → the names of their translations. */
const STEPS = new Map([
  ['Loading weights', 'weights'],
  ['Compiling shaders', 'shaders'],
] as const);

/** The engine's texts that say no more than the stage. */
const PLAIN = new Set([
  ...['', 'Downloading', 'Download paused', 'Downloaded', 'Installed'],
  ...['Loading', 'Ready', 'Unloaded', 'Cancelled'],
]);

export function describeProgress(progress: Progress): ProgressText {
  const title = titleOf(progress);
  if (progress.stage === 'failed') {
    return { title, detail: progress.text, percent: '', fraction: 0 };
  }
  const fraction = fractionOf(progress);
  const percent = fraction === null ? '' : formatPercent(fraction);
  return { title, detail: describeBytes(progress), percent, fraction };
}

/** The engine's text, e.g. `Compiling shaders`. A failure's text is its reason, which is the detail. */
function titleOf({ stage, text }: Progress): string {
  const titles = messages.value.models.progress;
  for (const [known, name] of STEPS) if (known === text) return titles[name];
  return stage === 'failed' || PLAIN.has(text) ? titles[stage] : text;
}

function fractionOf({ stage, loadedBytes, totalBytes }: Progress): number | null {
  if (stage === 'ready') return 1;
  return totalBytes > 0 ? Math.min(loadedBytes / totalBytes, 1) : null;
}

function describeBytes(progress: Progress): string {
  const { loadedBytes, totalBytes, bytesPerSecond = 0, secondsLeft = 0 } = progress;
  const { left } = messages.value.models.progress;
  const parts: string[] = [];
  if (loadedBytes > 0 || totalBytes > 0) parts.push(formatBytesOf(loadedBytes, totalBytes));
  if (bytesPerSecond > 0) parts.push(formatBytesPerSecond(bytesPerSecond));
  if (secondsLeft >= 1) parts.push(fill(left, { time: formatSeconds(secondsLeft) }));
  return parts.join(' · ');
}
