import { expect, type BrowserContext, type CDPSession, type Worker } from 'playwright/test';

/** Crashes the GPU process; returns when another one runs in its place. */
export async function crashGpuProcess(profile: BrowserContext): Promise<void> {
  const session = await profile.browser()?.newBrowserCDPSession();
  if (!session) throw new Error('The profile has no browser.');
  const before = await gpuProcess(session);
  // The process ends before it can answer.
  await session.send('Browser.crashGpuProcess').catch(() => undefined);
  await expect.poll(() => gpuProcess(session)).not.toBe(before);
  await session.detach();
}

async function gpuProcess(session: CDPSession): Promise<number | undefined> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return processInfo.find(({ type }) => type === 'GPU')?.id;
}

/** Starts to count what a worker submits to the GPU; the result reads the count. */
export async function countSubmissions(worker: Worker): Promise<() => Promise<number>> {
  const counter = await worker.evaluateHandle(() => {
    const { submit } = GPUQueue.prototype;
    const counted = { submissions: 0 };
    GPUQueue.prototype.submit = function (buffers) {
      counted.submissions++;
      submit.call(this, buffers);
    };
    return counted;
  });
  return () => counter.evaluate(({ submissions }) => submissions);
}
