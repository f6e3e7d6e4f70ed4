import { KEY_PATTERN } from '../core/keys/key-format.ts';
import type { InterceptOptions } from '../core/realms/interception.ts';
import { KV_CACHE_TYPES } from '../core/realms/kv-cache-type.ts';
import { PROTOCOL, type EngineConfig } from '../core/realms/messages.ts';
import { StartError } from './api/api.ts';
import { isPhone } from './platform.ts';
import type { StartOptions } from './start-options.ts';
import type { ForwardingOptions } from './worker/upstreams.ts';

/** The options that must be equal for two calls of `start` to share a page. */
export interface PageSettings {
  config: EngineConfig;
  apiKey: string | undefined;
  autoInstall: boolean;
  /**
   * Whether there is a service worker; or the site's own one, as its registration or the absolute URL of its script.
   */
  serviceWorker: boolean | string | ServiceWorkerRegistration;
  /** Whether the service worker makes pages cross-origin isolated. */
  isolate: boolean;
  /** Undefined: the services that other pages of the site intercept stay intercepted. */
  intercept: InterceptSettings | undefined;
  /** Undefined: no upstreams, no routes, no files, no prompts on disk, no servers, and nothing is written down. */
  forwards: ForwardingOptions | undefined;
}

/** Base URLs of the services to intercept, and the options for their requests. */
export type InterceptSettings = [services: readonly string[], options: InterceptOptions];

type Rule = [isValid: (value: unknown) => boolean, what: string];

/** Each thread is a worker, and all of them start at once. */
const MOST_THREADS = 64;

const THREADS: Rule = [
  (value) => Number.isInteger(value) && Number(value) > 0 && Number(value) <= MOST_THREADS,
  `an integer from 1 to ${MOST_THREADS}`,
];

const ABOVE_0: Rule = [(value) => typeof value === 'number' && value > 0, 'a number above 0'];

const either = (one: string, other: string): Rule => [
  (value) => value === one || value === other,
  `'${one}' or '${other}'`,
];

const DEVICE = either('wasm', 'webgpu');

/** Checks of the options that are given. JavaScript callers may pass any value. */
const RULES: { [Name in keyof StartOptions]?: Rule } = {
  apiKey: [(key) => KEY_PATTERN.test(String(key)), '"sk-slashv1-" and 43 base64url characters'],
  engines: [isListOfEngines, "a list of 'webllm' and 'llamacpp'"],
  threads: THREADS,
  memoryBudget: ABOVE_0,
  contextLength: ABOVE_0,
  kvCacheType: either(...KV_CACHE_TYPES),
  unloadAfterMs: [(ms) => Number(ms) >= 0, 'milliseconds from 0, or Infinity'],
  llamacppDevice: DEVICE,
  speechDevice: DEVICE,
  speechThreads: THREADS,
};

/**
 * @param usualBase - used if neither `base` nor `serviceWorker` says where the files are
 * @throws StartError `invalid_option`
 */
export function readOptions(options: StartOptions, usualBase: string): PageSettings {
  const given = new Map<string, unknown>(Object.entries(options));
  for (const [name, [isValid, what]] of Object.entries(RULES)) {
    const value = given.get(name);
    check(value === undefined || isValid(value), `${name} must be ${what}.`);
  }
  const { apiKey, autoInstall = false, isolate = false } = options;
  const { intercept, model, modelMap, upstreams, routes, hear, files, promptCache, mcp } = options;
  const forwards = { upstreams, routes, hear, files, promptCache, mcp };
  const { engines, threads, memoryBudget, contextLength, kvCacheType, unloadAfterMs } = options;
  const { standby, outlive, llamacppDevice, speechDevice, speechThreads } = options;
  const { folders, serviceWorker } = readUrls(options, usualBase);
  check(
    typeof serviceWorker !== 'object' || serviceWorker.scope === folders.base,
    'base must be the scope of serviceWorker.',
  );
  check(
    !(isolate || intercept) || serviceWorker === true,
    'isolate and intercept are for sw.js: your service worker does both.',
  );
  const config = {
    protocol: PROTOCOL,
    ...folders,
    engines,
    threads,
    memoryBudget,
    contextLength,
    kvCacheType,
    unloadAfterMs,
    standby,
    outlive,
    isPhone: isPhone(),
    hasBuiltIn: 'LanguageModel' in globalThis,
    llamacppDevice,
    speechDevice,
    speechThreads,
  };
  return {
    config,
    apiKey,
    autoInstall,
    serviceWorker,
    isolate,
    forwards: Object.values(forwards).some((each) => each != null) ? forwards : undefined,
    intercept: intercept && [intercept, { model, modelMap, autoInstall }],
  };
}

function isListOfEngines(value: unknown): boolean {
  const isEngine = (name: unknown) => name === 'webllm' || name === 'llamacpp';
  return Array.isArray(value) && value.length > 0 && value.every(isEngine);
}

function check(condition: boolean, message: string): void {
  if (!condition) throw new StartError('invalid_option', message);
}

/** @throws StartError `invalid_option` */
function readUrls({ base, hub, libraries, ...rest }: StartOptions, usualBase: string) {
  try {
    const serviceWorker = readServiceWorker(rest);
    const scope = typeof serviceWorker === 'object' ? serviceWorker.scope : usualBase;
    const folders = {
      base: folder(base ?? scope),
      hub: hub && folder(hub),
      libraries: libraries && folder(libraries),
    };
    return { folders, serviceWorker };
  } catch (error) {
    throw new StartError('invalid_option', 'base, hub, libraries, serviceWorker must be URLs.', {
      cause: error,
    });
  }
}

function readServiceWorker({
  serviceWorker: given = true,
}: StartOptions): PageSettings['serviceWorker'] {
  if (typeof given === 'boolean' || (typeof given === 'object' && 'scope' in given)) return given;
  return absolute(given).href;
}

/** Absolute; ends in "/". */
function folder(url: string | URL): string {
  return new URL('.', absolute(url)).href;
}

function absolute(url: string | URL): URL {
  return new URL(url, document.baseURI);
}
