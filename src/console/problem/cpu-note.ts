import type { DeviceReport } from '../../index.ts';
import { messages } from '../messages/messages.ts';
import type { Browser } from './browser.ts';
import { webgpuSteps } from './webgpu-advice.ts';

/** What to know about models that run on the CPU. In `steps`, text between backticks is code. */
export interface CpuNote {
  title: string;
  explanation: string;
  steps: string[];
}

/** Undefined if the models run on a graphics processor, or if one is available but the page wants only the CPU. */
export function cpuNote(
  { gpu, engine }: Pick<DeviceReport, 'gpu' | 'engine'>,
  browser: Browser,
  hasWebgpu: boolean,
): CpuNote | undefined {
  if (gpu === 'hardware' || engine !== 'llamacpp') return undefined;
  const text = messages.value.problem.cpu;
  return {
    title: text.title,
    explanation: gpu === 'software' ? text.emulated : text.missing,
    steps: webgpuSteps(browser, hasWebgpu),
  };
}
