/** What the tests use inside a frame that borrows the API of its parent: a real client, and no page library. */
import OpenAI from 'openai';
import {
  connect,
  ConnectError,
  type ConnectOptions,
  type LentApi,
} from '../../../src/page/frame/connect.ts';

declare global {
  interface Window {
    lent: LentApi;
    lentClient: OpenAI;
    ConnectError: typeof ConnectError;
    connectParent(options?: ConnectOptions): Promise<{ baseURL: string; apiKey: string }>;
  }
}

window.ConnectError = ConnectError;
window.connectParent = async (options) => {
  window.lent = await connect(window.parent, options);
  const { baseURL, apiKey, fetch } = window.lent;
  window.lentClient = new OpenAI({
    baseURL,
    apiKey,
    fetch,
    maxRetries: 0,
    dangerouslyAllowBrowser: true,
  });
  return { baseURL, apiKey };
};
