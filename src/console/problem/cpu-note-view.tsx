import type { VNode } from 'preact';
import type { DeviceReport } from '../../index.ts';
import { detectBrowser } from './browser.ts';
import { cpuNote } from './cpu-note.ts';
import { StepList } from './steps.tsx';

/** A quiet line that says that the models run on the CPU, with folded advice; nothing if they do not. */
export function CpuNoteView({ device }: { device: DeviceReport }): VNode | null {
  const browser = detectBrowser(navigator.userAgent, navigator.maxTouchPoints);
  const note = cpuNote(device, browser, 'gpu' in navigator);
  if (!note) return null;
  return (
    <details class="cpu-note">
      <summary>{note.title}</summary>
      <p>{note.explanation}</p>
      <StepList steps={note.steps} />
    </details>
  );
}
