import type { Page } from 'playwright/test';
import type { DirectAnswer, DirectRequest } from '../../site/direct-worker.ts';

declare global {
  interface Window {
    direct: Worker | undefined;
  }
}

/** Asks WebLLM itself, without the API. It runs in a dedicated worker of the page. */
export function askDirectly(page: Page, request: DirectRequest): Promise<DirectAnswer> {
  return page.evaluate(
    (asked) =>
      new Promise<DirectAnswer>((resolve, reject) => {
        const worker = (window.direct ??= new Worker('direct-worker.js', { type: 'module' }));
        worker.onmessage = ({ data }: MessageEvent<DirectAnswer | { error: string }>) =>
          'error' in data ? reject(new Error(data.error)) : resolve(data);
        worker.postMessage(asked);
      }),
    request,
  );
}
