import { expect, type Page } from 'playwright/test';
import { answerTo, startStream, untilEnded, untilLength, type Streamed } from './streamed.ts';
import { engineOf } from './tabs.ts';

/** Crashes the process of a tab. */
export async function crashTab(page: Page): Promise<void> {
  const crashed = new Promise((resolve) => page.once('crash', resolve));
  void page.goto('chrome://crash').catch(() => undefined);
  await crashed;
}

/** Ends the engine's worker. Its page gets no event for that, as when memory runs out. */
export async function killEngine(page: Page): Promise<void> {
  const worker = engineOf(page);
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

/** The same request's answers. */
interface WithFault {
  /** Without a fault. */
  whole: Streamed;
  /** With the fault in its middle. */
  answer: Streamed;
  /** When the fault happened, Unix milliseconds. */
  faultAt: number;
}

/** Asks twice. A fault happens when a third of the second answer has arrived. */
export async function askWithFault(
  reader: Page,
  body: Record<string, unknown>,
  fault: () => Promise<unknown>,
): Promise<WithFault> {
  const whole = await answerTo(reader, body);
  expect(whole).toMatchObject({ status: 200, done: true, error: null });
  await startStream(reader, body);
  await untilLength(reader, Math.ceil(whole.text.length / 3));
  const faultAt = Date.now();
  await fault();
  return { whole, answer: await untilEnded(reader), faultAt };
}
