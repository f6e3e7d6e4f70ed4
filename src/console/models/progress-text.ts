import type { Progress } from '../../index.ts';
import { formatBytes, formatBytesOf, formatPercent, formatSeconds } from '../ui/format.ts';

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

/** Used when the engine's progress has no text of its own. */
const TITLES: Record<Progress['stage'], string> = {
  download: 'Downloading',
  paused: 'Download paused',
  installed: 'Downloaded',
  load: 'Loading',
  ready: 'Ready',
  unloaded: 'Not loaded',
  failed: 'Could not load',
};

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
  return (stage === 'failed' ? '' : text) || TITLES[stage];
}

function fractionOf({ stage, loadedBytes, totalBytes }: Progress): number | null {
  if (stage === 'ready') return 1;
  return totalBytes > 0 ? Math.min(loadedBytes / totalBytes, 1) : null;
}

function describeBytes(progress: Progress): string {
  const { loadedBytes, totalBytes, bytesPerSecond = 0, secondsLeft = 0 } = progress;
  const parts: string[] = [];
  if (loadedBytes > 0 || totalBytes > 0) parts.push(formatBytesOf(loadedBytes, totalBytes));
  if (bytesPerSecond > 0) parts.push(`${formatBytes(bytesPerSecond)}/s`);
  if (secondsLeft >= 1) parts.push(`${formatSeconds(secondsLeft)} left`);
  return parts.join(' · ');
}
