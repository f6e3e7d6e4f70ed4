import type { Page } from 'playwright/test';
import { llamaOf } from './tabs.ts';

/**
 * Makes the only model that llama.cpp has in memory take its time for each token.
 *
 * @param ms - between two tokens, or two batches of a prompt
 * @returns ends that
 */
export async function slowDownNow(page: Page, ms: number): Promise<() => Promise<void>> {
  const worker = llamaOf(page);
  // Between two tokens, the worker sends `null` to itself. What it tells the engine is not slowed down.
  await worker.evaluate((pause) => {
    const send = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (message: unknown, options?: object) {
      if (message !== null) return send.call(this, message, options);
      setTimeout(() => send.call(this, message), pause);
    };
    self.addEventListener('full speed', () => (MessagePort.prototype.postMessage = send));
  }, ms);
  return () => worker.evaluate(() => void self.dispatchEvent(new Event('full speed')));
}
