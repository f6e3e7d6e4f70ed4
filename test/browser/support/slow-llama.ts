import { expect, type Page, type Worker } from 'playwright/test';
import type { TestSite } from './site.ts';
import { workersOf } from './tabs.ts';

declare global {
  /** Turns of the event loop that the model's worker has taken. */
  var turns: number;
  /** `turns` when it was last told to stop an answer. */
  var turnsAtStop: number;
}

/** Milliseconds: an answer of tiny-chat takes seconds then, as with a larger model. */
const TURN_MS = 20;

/**
 * Makes the workers of llama.cpp take their time between two tokens, and count that.
 *
 * @param ms - between two tokens, or two batches of a prompt
 */
export function slowDown(site: TestSite, ms = TURN_MS): void {
  site.preludes['llamacpp.js'] = `
    self.turns = 0;
    self.addEventListener('message', ({ ports: [engine] }) =>
      engine.addEventListener('message', ({ data }) => {
        if (data.type === 'stop') self.turnsAtStop = self.turns;
      }), { once: true });
    ${slowness(ms)}`;
}

/**
 * Makes the workers of ONNX Runtime take their time between two batches of texts.
 *
 * @param ms - between two batches
 */
export function slowBatches(site: TestSite, ms: number): void {
  site.preludes['onnx.js'] = `self.turns = 0;\n${slowness(ms)}`;
}

/**
 * Makes the only model that llama.cpp has in memory take its time for each token, as `slowDown` does for later ones.
 *
 * @param ms - between two tokens, or two batches of a prompt
 * @returns ends that
 */
export async function slowDownNow(page: Page, ms: number): Promise<() => Promise<void>> {
  const worker = llamaOf(page);
  await worker.evaluate(slowness(ms));
  return () => worker.evaluate(() => void self.dispatchEvent(new Event('full speed')));
}

/** Between two tokens, the worker sends `null` to itself. What it tells the engine is not slowed down. */
function slowness(ms: number): string {
  return `{
    const send = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (message, options) {
      if (message !== null) return send.call(this, message, options);
      self.turns++;
      setTimeout(() => send.call(this, message), ${ms});
    };
    self.addEventListener('full speed', () => (MessagePort.prototype.postMessage = send));
  }\n`;
}

/** The worker of the only model that llama.cpp has in memory. */
export function llamaOf(page: Page): Worker {
  const [worker, ...others] = workersOf(page, 'llamacpp.js');
  if (!worker || others.length > 0) throw new Error('The page has not one worker of llama.cpp.');
  return worker;
}

/** Returns when a worker that was slowed down has taken this many turns more. */
export async function untilTurns(worker: Worker, more: number): Promise<void> {
  const count = () => worker.evaluate(() => self.turns);
  const before = await count();
  const options = { intervals: [10], timeout: 60_000 };
  await expect.poll(count, options).toBeGreaterThanOrEqual(before + more);
}

/** Ends the worker of the model, as the browser does when memory runs out: nothing gets an event. */
export async function killLlama(page: Page): Promise<void> {
  const worker = llamaOf(page);
  const closed = new Promise((resolve) => worker.once('close', resolve));
  await worker.evaluate(() => self.close());
  await closed;
}
