import type { DeviceReport } from '../../index.ts';
import { el } from '../ui/dom.ts';
import { detectBrowser } from './browser.ts';
import { cpuNote } from './cpu-note.ts';
import { stepList } from './steps.ts';

/** A quiet line that says that the models run on the CPU, with advice behind it; null if they do not. */
export function cpuNoteView(device: DeviceReport): HTMLElement | null {
  const browser = detectBrowser(navigator.userAgent, navigator.maxTouchPoints);
  const note = cpuNote(device, browser, 'gpu' in navigator);
  if (!note) return null;
  return el(
    'details',
    { class: 'cpu-note' },
    el('summary', {}, note.title),
    el('p', {}, note.explanation),
    stepList(note.steps),
  );
}
