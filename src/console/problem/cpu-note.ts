import type { DeviceReport } from '../../index.ts';
import type { Browser } from './browser.ts';
import { webgpuSteps } from './webgpu-advice.ts';

/** What to know about models that run on the CPU. In `steps`, text between backticks is code. */
export interface CpuNote {
  title: string;
  explanation: string;
  steps: string[];
}

/** Undefined if the models run on a graphics processor, or if the page wants no other than the CPU. */
export function cpuNote(
  { gpu, engine }: Pick<DeviceReport, 'gpu' | 'engine'>,
  browser: Browser,
  hasWebgpu: boolean,
): CpuNote | undefined {
  if (gpu === 'hardware' || engine !== 'llamacpp') return undefined;
  const why =
    gpu === 'software'
      ? 'the graphics processor that this browser offers is emulated by the CPU'
      : 'this browser offers no graphics processor';
  return {
    title: 'Runs on the CPU here',
    explanation: `The models run on this device’s CPU, because ${why}. With a graphics processor they answer faster. To use one:`,
    steps: webgpuSteps(browser, hasWebgpu),
  };
}
