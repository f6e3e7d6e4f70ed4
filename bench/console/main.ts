/**
 * Prints as JSON how quick the console stays while an answer is written: 400 pieces a second into one paragraph of 70 kB,
 * while the user types the next question. The console, its service worker and the browser are real; the answer comes
 * from a server of this process.
 */
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Page } from 'playwright';
import { ensureChromium } from '../../scripts/testing/ensure-browsers.ts';
import { findChromium, webgpuFlags } from '../../src/node/browser.ts';
import type { StartOptions } from '../../src/index.ts';
import {
  buildQuickSite,
  QUICK_SITE,
  serveFolder,
} from '../../test/browser/support/sites/built-sites.ts';
import { openUpstream } from '../../test/support/servers/upstream-server.ts';

const PIECES_PER_SECOND = 400;
/** Pieces differ, because an answer that repeats itself is ended. */
const pieceOf = (at: number) => `*${at}* \`${(at * 7919) % 100_003}\` `;
const LENGTH = 70_000;
/** Pieces are sent so often, because timers are no finer. */
const TICK_MS = 25;
const KEY_MS = 80;

/** What the page measures. */
interface Noted {
  /** Id of an interaction → its longest event, milliseconds. */
  interactions: Map<number, number>;
  /** Milliseconds. */
  longTasks: number[];
}

declare global {
  interface Window {
    noted: Noted;
  }
}

async function write(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const pieces: string[] = [];
  for (let length = 0; length < LENGTH; length += pieces.at(-1)?.length ?? 0) {
    pieces.push(pieceOf(pieces.length));
  }
  const all = pieces.length;
  const began = performance.now();
  for (let sent = 0; sent < all;) {
    await wait(TICK_MS);
    const due = Math.min(all, ((performance.now() - began) / 1_000) * PIECES_PER_SECOND);
    for (; sent < due; sent++) {
      const chunk = { choices: [{ index: 0, delta: { content: pieces[sent] } }] };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    }
  }
  response.end('data: [DONE]\n\n');
}

/** Begins to note how long the page's events and tasks take. */
function observe(): void {
  const noted: Noted = { interactions: new Map(), longTasks: [] };
  window.noted = noted;
  // TypeScript does not know the threshold.
  const init = { type: 'event', durationThreshold: 16 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!(entry instanceof PerformanceEventTiming) || !entry.interactionId) continue;
      const longest = Math.max(noted.interactions.get(entry.interactionId) ?? 0, entry.duration);
      noted.interactions.set(entry.interactionId, longest);
    }
  }).observe(init);
  new PerformanceObserver((list) => {
    noted.longTasks.push(...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: 'longtask' });
}

/** Types until the answer is complete. Returns the number of keys. */
async function typeMeanwhile(page: Page): Promise<number> {
  const answer = page.getByRole('article', { name: 'Answer' }).last();
  await answer.and(page.locator('[aria-busy=true]')).waitFor();
  await page.getByLabel('Your message').focus();
  for (let keys = 0; ; keys++) {
    if ((await answer.getAttribute('aria-busy')) === 'false') return keys;
    await page.keyboard.press('abcde'.charAt(keys % 5));
    await wait(KEY_MS);
  }
}

await ensureChromium();
await buildQuickSite();
const upstream = await openUpstream(['streamer']);
upstream.answer = write;
const site = await serveFolder(QUICK_SITE);
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: webgpuFlags('software'),
});
const page = await browser.newPage();
await page.addInitScript((baseURL) => {
  const upstreams = [{ name: 'cluster', baseURL, models: '*' as const }];
  Object.assign(globalThis, { slashv1Options: { upstreams } satisfies StartOptions });
}, upstream.baseURL);
await page.goto(site.origin);
await page.getByRole('button', { name: /^Model: .*, ready/ }).click();
await page.getByRole('button', { name: 'streamer' }).click();
await page.evaluate(observe);
await page.getByLabel('Your message').fill('Write.');
await page.keyboard.press('Enter');
const keys = await typeMeanwhile(page);
const { durations, longTasks } = await page.evaluate(() => ({
  durations: [...window.noted.interactions.values()],
  longTasks: window.noted.longTasks,
}));
const characters = (await page.getByRole('article', { name: 'Answer' }).innerText()).length;
await browser.close();
await Promise.all([site.close(), upstream.close()]);

// Browsers leave the slowest one of each 50 interactions out of this figure. Interactions below 16 ms are not listed.
const slowest = durations.toSorted((a, b) => b - a)[Math.floor(keys / 50)] ?? 0;
const figures = {
  inp_ms: slowest,
  longest_task_ms: Math.max(0, ...longTasks),
  long_tasks: longTasks.length,
  keys,
  characters,
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
