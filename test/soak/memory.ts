import { readFileSync, writeFileSync } from 'node:fs';
import type { CDPSession, Page } from 'playwright/test';
import * as v from 'valibot';

export const MEASURES = ['page', 'worker', 'renderers', 'gpu'] as const;

/** Bytes in use by what lives as long as the site is open. */
export interface Memory {
  /** The heap of a page that sends requests and never closes, after a garbage collection. */
  page: number;
  /** The heap of the engine's worker, with its buffers: the memory of WebAssembly is one of them. */
  worker: number;
  /** Anonymous memory of all pages' processes, with their workers and the service worker. */
  renderers: number;
  /** Anonymous memory of the GPU process. WebGPU on the CPU keeps weights and the KV cache there. */
  gpu: number;
}

const processesSchema = v.object({
  processInfo: v.array(v.object({ type: v.string(), id: v.number() })),
});
const heapSchema = v.object({
  usedSize: v.number(),
  backingStorageSize: v.optional(v.number(), 0),
});
const targetsSchema = v.object({
  targetInfos: v.array(v.object({ targetId: v.string(), type: v.string() })),
});
const sessionSchema = v.object({ sessionId: v.string() });
const replySchema = v.object({
  id: v.optional(v.number()),
  result: v.optional(v.unknown()),
  error: v.optional(v.object({ message: v.string() })),
});

/** Types of targets that run scripts. */
const WITH_SCRIPTS = ['page', 'worker', 'shared_worker', 'service_worker'];

/** Samples of each process. The smallest one counts, since memory that is freed again is not growth. */
const SAMPLES = 10;
/** Time between samples. This wait is for time itself: memory varies over seconds, and no event tells. */
const SAMPLE_MS = 500;

/**
 * Measures the memory of an idle site.
 *
 * @param leader - the page with the engine's worker
 * @param work - makes the engine work, since the GPU process frees what the worker has collected only then
 */
export async function measureMemory(
  page: Page,
  leader: Page,
  work: () => Promise<unknown>,
): Promise<Memory> {
  const browser = await page.context().browser()?.newBrowserCDPSession();
  if (!browser) throw new Error('The page has no browser to measure.');
  const [heap, worker] = [await pageHeap(page), await workerHeap(leader)];
  await work();
  await collectGarbage(browser);
  // This does not simulate memory pressure: after that, each engine takes 18 MB more in the GPU process.
  const { renderers, gpu } = await leastUsed(browser, page.context().pages().length);
  await browser.detach();
  return { page: heap, worker, renderers, gpu };
}

/** The heap of a page, its process with that of its other workers, which may be another one, and the GPU process. */
export async function measurePage(page: Page): Promise<Omit<Memory, 'worker'>> {
  const browser = await page.context().browser()?.newBrowserCDPSession();
  if (!browser) throw new Error('The page has no browser to measure.');
  const heap = await pageHeap(page);
  await collectGarbage(browser);
  const used = await leastUsed(browser, 2);
  await browser.detach();
  return { page: heap, ...used };
}

async function pageHeap(page: Page): Promise<number> {
  const tab = await page.context().newCDPSession(page);
  await tab.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize } = v.parse(
    heapSchema,
    await tab.send('Runtime.getHeapUsage'),
  );
  await tab.detach();
  return usedSize + backingStorageSize;
}

/** Writes a snapshot of a page's heap; Chromium's developer tools can compare two of them. */
export async function saveHeap(page: Page, file: string): Promise<void> {
  const tab = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  tab.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await tab.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await tab.detach();
  writeFileSync(file, chunks.join(''));
}

/** @param pages - number of pages, each with a process; Chromium may have a spare one, which is left out */
async function leastUsed(
  browser: CDPSession,
  pages: number,
): Promise<Pick<Memory, 'renderers' | 'gpu'>> {
  const samples: Pick<Memory, 'renderers' | 'gpu'>[] = [];
  while (samples.length < SAMPLES) {
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    const { processInfo } = v.parse(
      processesSchema,
      await browser.send('SystemInfo.getProcessInfo'),
    );
    const largest = (type: string, count: number) =>
      processInfo
        .filter((each) => each.type === type)
        .map(({ id }) => anonymousBytes(id))
        .sort((a, b) => b - a)
        .slice(0, count)
        .reduce((sum, bytes) => sum + bytes, 0);
    samples.push({ renderers: largest('renderer', pages), gpu: largest('GPU', 1) });
  }
  return {
    renderers: Math.min(...samples.map(({ renderers }) => renderers)),
    gpu: Math.min(...samples.map(({ gpu }) => gpu)),
  };
}

/** Memory of a process without files and shared memory, which are not its own. */
function anonymousBytes(pid: number): number {
  const [, kilobytes] =
    /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kilobytes === undefined) throw new Error(`Process ${pid} has no RssAnon.`);
  return Number(kilobytes) * 1024;
}

/**
 * Collects the garbage of everything that runs scripts. Otherwise the memory of a process depends, by many
 * megabytes, on its last collection.
 */
async function collectGarbage(browser: CDPSession): Promise<void> {
  const { targetInfos } = v.parse(targetsSchema, await browser.send('Target.getTargets'));
  for (const { targetId, type } of targetInfos) {
    if (!WITH_SCRIPTS.includes(type)) continue;
    const target = await browser.send('Target.attachToTarget', { targetId, flatten: false });
    const { sessionId } = v.parse(sessionSchema, target);
    await speakTo(browser, sessionId, 'HeapProfiler.collectGarbage');
    await browser.send('Target.detachFromTarget', { sessionId });
  }
}

/**
 * Sends a command to a target for which Playwright has no session of its own. It goes through the session
 * that is attached to the target, one command at a time.
 */
async function speakTo(session: CDPSession, sessionId: string, method: string): Promise<unknown> {
  const id = 1;
  const reply = Promise.withResolvers<unknown>();
  const onMessage = (event: { sessionId: string; message: string }) => {
    if (event.sessionId !== sessionId) return;
    const answer = v.parse(replySchema, JSON.parse(event.message));
    if (answer.id !== id) return;
    if (answer.error) reply.reject(new Error(answer.error.message));
    else reply.resolve(answer.result);
  };
  session.on('Target.receivedMessageFromTarget', onMessage);
  const message = JSON.stringify({ id, method, params: {} });
  await session.send('Target.sendMessageToTarget', { sessionId, message });
  try {
    return await reply.promise;
  } finally {
    session.off('Target.receivedMessageFromTarget', onMessage);
  }
}

async function workerHeap(leader: Page): Promise<number> {
  const session = await leader.context().newCDPSession(leader);
  const attached = new Promise<string>((resolve) =>
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      if (targetInfo.url.endsWith('/engine.js')) resolve(sessionId);
    }),
  );
  await session.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: false,
    flatten: false,
  });
  const sessionId = await attached;
  await speakTo(session, sessionId, 'HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize } = v.parse(
    heapSchema,
    await speakTo(session, sessionId, 'Runtime.getHeapUsage'),
  );
  await session.detach();
  return usedSize + backingStorageSize;
}
