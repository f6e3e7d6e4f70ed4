import { StartError } from '../../index.ts';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import type { Browser } from './browser.ts';
import { webgpuSteps } from './webgpu-advice.ts';
import { messageOf } from '../../core/text/message-of.ts';

/** Why the page cannot serve, in words for its user. In `steps`, text between backticks is code. */
export interface Problem {
  title: string;
  explanation: string;
  steps: string[];
  /** The error itself, for a bug report: `webgpu_unavailable: No adapter …`. */
  technical: string;
}

/** What the advice depends on. */
export interface Surroundings {
  browser: Browser;
  /** The page's address. */
  url: URL;
  /** Whether the browser has the WebGPU API, even if it found no GPU for it. */
  hasWebgpu: boolean;
}

type Advice = Omit<Problem, 'technical'>;

/** Describes anything that `start` threw, with steps that fit the browser. */
export function describeProblem(error: unknown, surroundings: Surroundings): Problem {
  const message = messageOf(error);
  if (!(error instanceof StartError)) return { ...unexpected(), technical: message };
  return { ...ADVICE[error.code](surroundings), technical: `${error.code}: ${message}` };
}

const ADVICE: Record<StartError['code'], (surroundings: Surroundings) => Advice> = {
  no_page: unexpected,
  insecure_context: insecureContext,
  storage_unavailable: storageUnavailable,
  storage_blocked: storageBlocked,
  service_worker_unavailable: serviceWorkerUnavailable,
  service_worker_failed: serviceWorkerFailed,
  foreign_service_worker: serviceWorkerFailed,
  page_not_controlled: serviceWorkerFailed,
  api_failed: serviceWorkerFailed,
  engine_failed: serviceWorkerFailed,
  blocked_by_policy: serviceWorkerFailed,
  simd_unavailable: simdUnavailable,
  webgpu_unavailable: webgpuUnavailable,
  model_failed: modelFailed,
  invalid_option: invalidOption,
};

function insecureContext({ url }: Surroundings): Advice {
  const { title, explanation, local, secure } = messages.value.problem.insecure;
  const port = url.port && `:${url.port}`;
  const steps = [fill(local, { address: `http://localhost${port}${url.pathname}` }), secure];
  return { title, explanation, steps };
}

function storageUnavailable(): Advice {
  const { title, explanation, allow, free, frame } = messages.value.problem.storage;
  return { title, explanation, steps: [allow, free, frame] };
}

function storageBlocked(): Advice {
  const { title, explanation, tabs } = messages.value.problem.blocked;
  return { title, explanation, steps: [tabs] };
}

function serviceWorkerUnavailable({ browser }: Surroundings): Advice {
  const { title, explanation, ...text } = messages.value.problem.noWorker;
  const steps = [text.window, text.cookies, text.app];
  if (browser.platform === 'ios' || browser.platform === 'mac') steps.push(text.lockdown);
  return { title, explanation, steps };
}

function serviceWorkerFailed(): Advice {
  const { title, explanation, ...text } = messages.value.problem.workerFailed;
  return { title, explanation, steps: [text.reload, text.delete, text.script] };
}

function simdUnavailable(): Advice {
  const { title, explanation, update } = messages.value.problem.old;
  return { title, explanation, steps: [update] };
}

function webgpuUnavailable({ browser, hasWebgpu }: Surroundings): Advice {
  const { noGpu, noWebgpu } = messages.value.problem;
  return { ...(hasWebgpu ? noGpu : noWebgpu), steps: webgpuSteps(browser, hasWebgpu) };
}

function modelFailed(): Advice {
  const { title, explanation, tabs, disk } = messages.value.problem.modelFailed;
  return { title, explanation, steps: [tabs, disk] };
}

function invalidOption(): Advice {
  const { title, explanation, reload } = messages.value.problem.option;
  return { title, explanation, steps: [reload] };
}

function unexpected(): Advice {
  const { title, explanation, reload } = messages.value.problem.unexpected;
  return { title, explanation, steps: [reload] };
}
