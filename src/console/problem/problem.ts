import { StartError } from '../../index.ts';
import type { Browser } from './browser.ts';
import { webgpuSteps } from './webgpu-advice.ts';

/** Why the page cannot serve, as people read it. In `steps`, what stands between backticks is code. */
export interface Problem {
  title: string;
  explanation: string;
  steps: string[];
  /** The error itself, for a bug report: `webgpu_unavailable: No adapter …`. */
  technical: string;
}

/** Where the page runs, as far as the advice depends on it. */
export interface Surroundings {
  browser: Browser;
  /** The page's address. */
  url: URL;
  /** The browser knows WebGPU, whether or not it found a GPU for it. */
  hasWebgpu: boolean;
}

type Advice = Omit<Problem, 'technical'>;

export function describeProblem(error: unknown, surroundings: Surroundings): Problem {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof StartError)) return { ...unexpected(), technical: message };
  return { ...ADVICE[error.code](surroundings), technical: `${error.code}: ${message}` };
}

const ADVICE: Record<StartError['code'], (surroundings: Surroundings) => Advice> = {
  insecure_context: insecureContext,
  service_worker_unavailable: serviceWorkerUnavailable,
  service_worker_failed: serviceWorkerFailed,
  webgpu_unavailable: webgpuUnavailable,
  model_failed: modelFailed,
  invalid_option: invalidOption,
};

function insecureContext({ url }: Surroundings): Advice {
  const port = url.port && `:${url.port}`;
  return {
    title: 'This address is not secure enough for the browser',
    explanation:
      'Service workers and WebGPU exist only on https:// addresses and on localhost, and this page came over plain http.',
    steps: [
      `On the computer that serves it, open \`http://localhost${port}${url.pathname}\`.`,
      `From another device, open it over \`https://\`: any static host or tunnel with a certificate will do.`,
    ],
  };
}

function serviceWorkerUnavailable({ browser }: Surroundings): Advice {
  const steps = [
    'Open the page in a normal window: private windows may have no service worker.',
    'Allow this site to store data: blocking all cookies blocks service workers too.',
    'Open it in the browser itself, if another app shows it to you in a window of its own.',
  ];
  if (browser.platform === 'ios' || browser.platform === 'mac') {
    steps.push('With Lockdown Mode on, make an exception for this site.');
  }
  return {
    title: 'No service worker here',
    explanation:
      'The API of this page is a service worker, and this browser allows none right now.',
    steps,
  };
}

function serviceWorkerFailed(): Advice {
  return {
    title: 'The service worker did not start',
    explanation: 'The part of this page that answers /v1 could not be set up.',
    steps: [
      'Reload the page.',
      'If that does not help, delete this site’s data in the browser’s settings and reload.',
      'If this is your site: `sw.js` has to be served from the page’s own folder, as JavaScript and without a redirect.',
    ],
  };
}

function webgpuUnavailable({ browser, hasWebgpu }: Surroundings): Advice {
  return {
    title: hasWebgpu ? 'No graphics processor for WebGPU' : 'This browser has no WebGPU',
    explanation: hasWebgpu
      ? 'The browser knows WebGPU, but found no graphics processor that it may use. The models run on it, so there is nothing to chat with yet.'
      : 'The models run on your own graphics processor, through WebGPU. This browser does not offer it, so there is nothing to chat with yet.',
    steps: webgpuSteps(browser, hasWebgpu),
  };
}

function modelFailed(): Advice {
  return {
    title: 'The model did not load',
    explanation: 'The page is fine, but the model could not be brought into GPU memory.',
    steps: [
      'Close other tabs that use much graphics memory and try again.',
      'Check that there is free disk space: a model is kept in this browser’s storage.',
    ],
  };
}

function invalidOption(): Advice {
  return {
    title: 'This page was started with an option it does not know',
    explanation: 'That is a mistake in the page, not in your browser.',
    steps: ['Reload the page without anything behind the `#` or `?` of its address.'],
  };
}

function unexpected(): Advice {
  return {
    title: 'The page could not start',
    explanation: 'Something went wrong that nobody thought of.',
    steps: ['Reload the page.'],
  };
}
