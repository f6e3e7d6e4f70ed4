/** What the tests use inside the page: the library as a site embeds it, a real client, and helpers. */
import OpenAI from 'openai';
import * as slashv1 from '../../../src/index.ts';
import type { Slashv1, StartOptions } from '../../../src/index.ts';
import type { FromHost, ToHost } from '../../../src/core/port/port-messages.ts';
import type { ToPage, ToServiceWorker } from '../../../src/core/realms/messages.ts';
import type { EngineOption } from '../support/engine-option.ts';

/** An error of the openai package. */
export interface Refusal {
  status: number | undefined;
  code: string | null | undefined;
  param: string | null | undefined;
  message: string;
}

interface PostOptions {
  apiKey?: string;
  signal?: AbortSignal;
}

declare global {
  interface Window {
    /** Set by fixtures; undefined: WebLLM, in a worker of the page. */
    ofTests: EngineOption | undefined;
    /** The library; its `start` forces one engine unless the options name engines. */
    slashv1: Pick<typeof slashv1, 'start' | 'StartError' | 'ApiError'>;
    OpenAI: typeof OpenAI;
    /** Set by `begin`. */
    v1: Slashv1;
    /** How clients reach the API: `v1.fetch` if `begin` had `serviceWorker: false`. */
    apiFetch: typeof fetch;
    client: OpenAI;
    begin(options?: StartOptions): Promise<{ baseURL: string; apiKey: string }>;
    /** The error of a request of the openai package, or undefined if it was answered. */
    refusalOf(request: PromiseLike<unknown>): Promise<Refusal | undefined>;
    /** Sends JSON to a path below the base URL with `apiFetch`. The page's own key is the default. */
    post(path: string, body: unknown, options?: PostOptions): Promise<Response>;
    /**
     * Opens a port to the engine, as the service worker has one.
     *
     * @param onMessage - called with each message of the engine host
     * @returns sends a message to the engine host
     */
    connectEngine(onMessage: (message: FromHost) => void): Promise<(message: ToHost) => void>;
    /** Result of an IndexedDB request. */
    resultOf<T>(request: IDBRequest<T>): Promise<T>;
  }
}

// The GPU of the tests is emulated, so a model with a variant for the CPU would not run on WebLLM.
const start = (options: StartOptions = {}) => {
  const { engine = 'webllm', outlive = false, onGpu = false } = window.ofTests ?? {};
  const device: StartOptions = onGpu ? { llamacppDevice: 'webgpu' } : {};
  return slashv1.start({ engines: [engine], outlive, ...device, ...options });
};

window.slashv1 = { ...slashv1, start };
window.OpenAI = OpenAI;

window.begin = async (options) => {
  window.v1 = await start(options);
  const { baseURL, apiKey } = window.v1;
  window.apiFetch = options?.serviceWorker === false ? window.v1.fetch : fetch.bind(window);
  const client = { baseURL, apiKey, fetch: window.apiFetch, maxRetries: 0 };
  window.client = new OpenAI({ ...client, dangerouslyAllowBrowser: true });
  return { baseURL, apiKey };
};

window.refusalOf = async (request) => {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof OpenAI.APIError)) throw error;
    const { status, code, param, message } = error;
    return { status: status as number | undefined, code, param, message };
  }
  return undefined;
};

window.post = (path, body, { apiKey = window.v1.apiKey, signal } = {}) => {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  return window.apiFetch(`${window.v1.baseURL}/${path}`, { ...init, ...(signal && { signal }) });
};

window.connectEngine = async (onMessage) => {
  const port = await enginePort();
  port.onmessage = ({ data }: MessageEvent<FromHost | FromHost[]>) =>
    [data].flat().forEach((message) => onMessage(message));
  return (message) => port.postMessage(message);
};

function enginePort(): Promise<MessagePort> {
  const { serviceWorker } = navigator;
  return new Promise((resolve) => {
    const take = ({ data, ports: [port] }: MessageEvent<ToPage>) => {
      if (data.type !== 'slashv1:port' || !port) return;
      serviceWorker.removeEventListener('message', take);
      resolve(port);
    };
    serviceWorker.addEventListener('message', take);
    const connect: ToServiceWorker = { type: 'slashv1:connect' };
    serviceWorker.controller?.postMessage(connect);
  });
}

window.resultOf = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB failed.'));
  });
