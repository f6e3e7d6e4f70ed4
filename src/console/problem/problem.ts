import { StartError } from '../../index.ts';
import { errorMessage } from '../error-message.ts';
import type { Browser } from './browser.ts';
import { webgpuSteps } from './webgpu-advice.ts';

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
  const message = errorMessage(error);
  if (!(error instanceof StartError)) return { ...unexpected(), technical: message };
  return { ...ADVICE[error.code](surroundings), technical: `${error.code}: ${message}` };
}

const ADVICE: Record<StartError['code'], (surroundings: Surroundings) => Advice> = {
  no_page: unexpected,
  insecure_context: insecureContext,
  storage_unavailable: storageUnavailable,
  service_worker_unavailable: serviceWorkerUnavailable,
  service_worker_failed: serviceWorkerFailed,
  foreign_service_worker: serviceWorkerFailed,
  page_not_controlled: serviceWorkerFailed,
  api_failed: serviceWorkerFailed,
  simd_unavailable: simdUnavailable,
  webgpu_unavailable: webgpuUnavailable,
  model_failed: modelFailed,
  invalid_option: invalidOption,
};

function insecureContext({ url }: Surroundings): Advice {
  const port = url.port && `:${url.port}`;
  return {
    title: 'This address is not secure enough for the browser',
    explanation:
      'Browsers offer service workers only on https:// addresses and on localhost. This page was loaded over plain http.',
    steps: [
      `On the computer that serves it, open \`http://localhost${port}${url.pathname}\`.`,
      `From another device, open it over \`https://\`: any static host or tunnel with a certificate will do.`,
    ],
  };
}

function storageUnavailable(): Advice {
  return {
    title: 'The browser lets this page store nothing',
    explanation: 'The models and the key of this page are kept in the browser’s storage.',
    steps: [
      'Allow this site to store data and cookies.',
      'Check that there is free disk space.',
      'If another site shows this page in a frame, open the page in a tab of its own.',
    ],
  };
}

function serviceWorkerUnavailable({ browser }: Surroundings): Advice {
  const steps = [
    'Open the page in a normal window: private windows may have no service worker.',
    'Allow this site to store data: blocking all cookies blocks service workers too.',
    'If another app shows this page in its own window, open the page in the browser instead.',
  ];
  if (browser.platform === 'ios' || browser.platform === 'mac') {
    steps.push('If Lockdown Mode is on, make an exception for this site.');
  }
  return {
    title: 'This browser allows no service worker',
    explanation:
      'The API of this page runs in a service worker, which this browser does not allow right now.',
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
      'If this is your site: `sw.js` must be served from the page’s own folder, as JavaScript and without a redirect.',
    ],
  };
}

function simdUnavailable(): Advice {
  return {
    title: 'This browser is too old for the models',
    explanation:
      'The models need WebAssembly with vectors (SIMD), which this browser does not have.',
    steps: [
      'Update the browser: Chrome and Edge have it from version 91 on, Safari from 16.4, Firefox from 89.',
    ],
  };
}

function webgpuUnavailable({ browser, hasWebgpu }: Surroundings): Advice {
  return {
    title: hasWebgpu ? 'No graphics processor for WebGPU' : 'This browser has no WebGPU',
    explanation: hasWebgpu
      ? 'This browser has WebGPU, but found no graphics processor that it may use. This page allows no models that run without one.'
      : 'The models of this page run on your own graphics processor, through WebGPU, which this browser does not have.',
    steps: webgpuSteps(browser, hasWebgpu),
  };
}

function modelFailed(): Advice {
  return {
    title: 'The model did not load',
    explanation: 'The page works, but the model could not be loaded into memory.',
    steps: [
      'Close other tabs that use much memory and try again.',
      'Check that there is free disk space: models are kept in this browser’s storage.',
    ],
  };
}

function invalidOption(): Advice {
  return {
    title: 'This page was started with an invalid option',
    explanation: 'That is a mistake in the page, not in your browser.',
    steps: ['Reload the page without anything behind the `#` or `?` of its address.'],
  };
}

function unexpected(): Advice {
  return {
    title: 'The page could not start',
    explanation: 'An unexpected error occurred.',
    steps: ['Reload the page.'],
  };
}
