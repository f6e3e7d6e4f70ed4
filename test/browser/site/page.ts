/** What the tests use inside the page: the library as a site embeds it, and a real client. */
import OpenAI from 'openai';
import {
  ApiError,
  start,
  StartError,
  type Slashv1,
  type StartOptions,
} from '../../../src/index.ts';

declare global {
  interface Window {
    slashv1: { start: typeof start; StartError: typeof StartError; ApiError: typeof ApiError };
    OpenAI: typeof OpenAI;
    /** Set by `begin`. */
    v1: Slashv1;
    client: OpenAI;
    begin(options?: StartOptions): Promise<{ baseURL: string; apiKey: string }>;
  }
}

window.slashv1 = { start, StartError, ApiError };
window.OpenAI = OpenAI;
window.begin = async (options) => {
  window.v1 = await start(options);
  const { baseURL, apiKey } = window.v1;
  window.client = new OpenAI({ baseURL, apiKey, dangerouslyAllowBrowser: true, maxRetries: 0 });
  return { baseURL, apiKey };
};
