import { KEY_PATTERN } from '../core/stores/key-format.ts';
import { PROTOCOL, type EngineConfig } from '../core/protocol/messages.ts';
import { StartError, type StartOptions } from './api.ts';
import { isPhone } from './is-phone.ts';

const DEFAULT_HUB = 'https://huggingface.co/';
/** WebLLM's `modelLibURLPrefix`, which is too large a module to import here. */
const DEFAULT_LIBRARIES =
  'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/';

/** The options that must be equal for two calls of `start` to share a page. */
export interface PageSettings {
  config: EngineConfig;
  apiKey: string | undefined;
  autoInstall: boolean;
}

/** @throws StartError `invalid_option` */
export function readOptions(options: StartOptions): PageSettings {
  const { apiKey, autoInstall = false, memoryBudget, unloadAfterMs, standby } = options;
  const { engines, threads, speechDevice, speechThreads } = options;
  check(
    apiKey === undefined || KEY_PATTERN.test(apiKey),
    'apiKey must be "sk-slashv1-" and 43 base64url characters.',
  );
  check(
    engines === undefined || (engines.length > 0 && engines.every(isTextEngine)),
    "engines must be a list of 'webllm', 'llamacpp' or both.",
  );
  check(
    threads === undefined || (Number.isInteger(threads) && threads > 0),
    'threads must be a whole number from 1.',
  );
  check(
    memoryBudget === undefined || memoryBudget > 0,
    'memoryBudget must be a number of bytes above 0.',
  );
  check(
    unloadAfterMs === undefined || unloadAfterMs >= 0,
    'unloadAfterMs must be a number of milliseconds from 0, or Infinity.',
  );
  check(
    speechDevice === undefined || speechDevice === 'wasm' || speechDevice === 'webgpu',
    "speechDevice must be 'wasm' or 'webgpu'.",
  );
  check(
    speechThreads === undefined || (Number.isInteger(speechThreads) && speechThreads > 0),
    'speechThreads must be a whole number from 1.',
  );
  const memory = { memoryBudget, unloadAfterMs, standby, isPhone: isPhone() };
  const speech = { speechDevice, speechThreads };
  const config = {
    protocol: PROTOCOL,
    ...folders(options),
    engines,
    threads,
    ...memory,
    ...speech,
  };
  return { config, apiKey, autoInstall };
}

/** Options come from JavaScript, too. */
function isTextEngine(name: unknown): boolean {
  return name === 'webllm' || name === 'llamacpp';
}

function check(condition: boolean, message: string): void {
  if (!condition) throw new StartError('invalid_option', message);
}

function folders({ base = '.', hub = DEFAULT_HUB, libraries = DEFAULT_LIBRARIES }: StartOptions) {
  try {
    return { base: folder(base), hub: folder(hub), libraries: folder(libraries) };
  } catch (error) {
    throw new StartError('invalid_option', 'base, hub and libraries must be URLs.', {
      cause: error,
    });
  }
}

/** Absolute; ends in "/". */
function folder(url: string | URL): string {
  return new URL('.', new URL(url, document.baseURI)).href;
}
