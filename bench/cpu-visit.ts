import * as v from 'valibot';
import { timedReloadSchema } from './answer.ts';
import { call, WITHOUT_GPU, withBrowser } from './browser.ts';
import { serveFromAfar, type DistantServer } from './distant-server.ts';
import { GIGABIT } from './line.ts';
import type { BenchModel } from './models.ts';
import type { RawBrowser } from './raw-browser.ts';
import { SITE } from './site.ts';

const READY = '"result" in window';

export interface CpuVisitResult {
  /** From opening the page to the first token ÷ downloading the same files alone. */
  ratio: number;
  /** From opening the page, milliseconds. */
  firstTokenMs: number;
  loadedMs: number;
  downloadMs: number;
}

/** The first visit on a device without a GPU, over a gigabit line: the page asks while the model is downloaded. */
export async function measureCpuVisit(origin: string, model: BenchModel): Promise<CpuVisitResult> {
  const server = await serveFromAfar(SITE, GIGABIT);
  try {
    return await withBrowser(async (browser) => {
      await browser.settled();
      const { sinceNavigationMs: firstTokenMs, loadedMs } = await visit(browser, server, model);
      const downloadMs = await downloadAlone(browser, server, origin);
      return { ratio: firstTokenMs / downloadMs, firstTokenMs, loadedMs, downloadMs };
    }, WITHOUT_GPU);
  } finally {
    await server.close();
  }
}

async function visit(browser: RawBrowser, server: DistantServer, { id, messages }: BenchModel) {
  const question = {
    model: id,
    messages,
    maxTokens: 1,
    isEarly: true,
    engines: ['webllm', 'llamacpp'],
  };
  const search = new URLSearchParams({ reload: JSON.stringify(question) });
  const page = await browser.open(`${server.origin}/slashv1/v1.html?${search.toString()}`, READY);
  const result = v.parse(timedReloadSchema, await page.evaluate('result'));
  await page.close();
  return result;
}

/** Milliseconds to fetch all files of the visit, one after the other. */
async function downloadAlone(
  browser: RawBrowser,
  { origin, paths }: DistantServer,
  own: string,
): Promise<number> {
  const urls = (await paths()).map((path) => origin + path);
  // The page is of another origin, because the visited origin's service worker has the files already.
  const page = await browser.open(`${own}/slashv1/v1.html`);
  const ms = v.parse(v.number(), await page.evaluate(call('bench.fetchAll', urls)));
  await page.close();
  return ms;
}
