import { expect, type Page, type Worker } from 'playwright/test';
import type { Hold } from './hold.ts';
import { answerTo, startStream, untilEnded, untilLength, type Streamed } from './streamed.ts';
import { engineOf } from './browser/tabs.ts';

/** Crashes the process of a tab. */
export async function crashTab(page: Page): Promise<void> {
  const crashed = new Promise((resolve) => page.once('crash', resolve));
  void page.goto('chrome://crash').catch(() => undefined);
  await crashed;
}

/** Ends a worker of a page, as the browser does when memory runs out: the page gets no event. */
export async function killWorker(worker: Worker): Promise<void> {
  const closed = new Promise((resolve) => worker.once('close', resolve));
  await worker.evaluate(() => self.close());
  await closed;
}

/** Makes every later call of the GPU's queue throw, as a driver might. */
export function breakQueue(page: Page): Promise<void> {
  return engineOf(page).evaluate(() => {
    GPUQueue.prototype.submit = () => {
      throw new Error('The queue is broken.');
    };
  });
}

/** Two answers to one request. */
interface WithFault {
  /** Without a fault. */
  whole: Streamed;
  /** With the fault in its middle. */
  answer: Streamed;
  /** When the fault happened, Unix milliseconds. */
  faultAt: number;
}

/** Asks twice. The engine is held after a third of the second answer, and released after the fault. */
export async function askWithFault(
  { reader, hold }: { reader: Page; hold: Hold },
  body: Record<string, unknown>,
  fault: () => Promise<unknown>,
): Promise<WithFault> {
  const whole = await answerTo(reader, body);
  expect(whole).toMatchObject({ status: 200, done: true, error: null });
  await hold.at({ tokens: Math.ceil((whole.usage?.completion_tokens ?? 0) / 3) });
  await startStream(reader, body);
  await hold.untilHeld();
  await untilLength(reader, 1);
  const faultAt = Date.now();
  await fault();
  await hold.release();
  return { whole, answer: await untilEnded(reader), faultAt };
}
