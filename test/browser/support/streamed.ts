import { test, type BrowserContext, type Page, type Worker } from 'playwright/test';
import type { StartOptions } from '../../../src/index.ts';
import { openPage, TINY, type TestSite } from './fixtures.ts';

/** Tabs in the background draw no frames, which Playwright would wait for; milliseconds. */
const POLLING = { polling: 20 };

/** A streamed answer as a page has received it so far. */
export interface Streamed {
  status: number;
  /** Content and reasoning, in the order in which they came. */
  text: string;
  finishReasons: string[];
  usage: { prompt_tokens: number; completion_tokens: number } | null;
  /** `[DONE]` was the last event. */
  done: boolean;
  /** Code of the error event. */
  error: string | null;
  /** Nothing more will come. */
  ended: boolean;
  /** When each piece of text came, Unix milliseconds. */
  times: number[];
}

declare global {
  interface Window {
    streamed: Streamed;
  }
}

/** Asks with a raw fetch; `window.streamed` tells how far the answer is. */
export function startStream(page: Page, body: Record<string, unknown>): Promise<void> {
  return page.evaluate(streamInPage, [TINY, body] as const);
}

/** Runs in the page, so it brings all it needs. */
export function streamInPage([model, rest]: readonly [string, Record<string, unknown>]): void {
  const got: Streamed = {
    ...{ status: 0, text: '', finishReasons: [], usage: null, done: false },
    ...{ error: null, ended: false, times: [] },
  };
  window.streamed = got;
  interface Chunk {
    choices?: {
      delta: { content?: string; reasoning?: string };
      finish_reason: string | null;
    }[];
    usage?: Streamed['usage'];
    error?: { code: string };
  }
  const take = (data: string) => {
    got.done = data === '[DONE]';
    if (got.done) return;
    const { choices = [], usage, error } = JSON.parse(data) as Chunk;
    got.error ??= error?.code ?? null;
    got.usage = usage ?? got.usage;
    for (const { delta, finish_reason } of choices) {
      const piece = (delta.reasoning ?? '') + (delta.content ?? '');
      if (piece !== '') got.times.push(Date.now());
      got.text += piece;
      if (finish_reason !== null) got.finishReasons.push(finish_reason);
    }
  };
  const read = async () => {
    const response = await fetch(`${window.v1.baseURL}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${window.v1.apiKey}` },
      body: JSON.stringify({
        ...{ model, stream: true, stream_options: { include_usage: true } },
        ...rest,
      }),
    });
    got.status = response.status;
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let held = '';
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return;
      const events = (held + value).split('\n\n');
      held = events.pop() ?? '';
      for (const event of events) take(event.slice('data: '.length));
    }
  };
  void read()
    .catch((error: unknown) => (got.error ??= String(error)))
    .finally(() => (got.ended = true));
}

/** Returns when so many characters of the answer are there. */
export async function untilLength(page: Page, length: number): Promise<void> {
  await page.waitForFunction((least) => window.streamed.text.length >= least, length, POLLING);
}

/** Returns when more of the answer is there than now. */
export async function untilMore(page: Page): Promise<void> {
  const length = await page.evaluate(() => window.streamed.text.length);
  await untilLength(page, length + 1);
}

/** The answer, when it has ended. */
export async function untilEnded(page: Page): Promise<Streamed> {
  await page.waitForFunction(() => window.streamed.ended, null, POLLING);
  return page.evaluate(() => window.streamed);
}

export async function answerTo(page: Page, body: Record<string, unknown>): Promise<Streamed> {
  await startStream(page, body);
  return untilEnded(page);
}

/** How long nothing came after the engine had ended, for the report. */
export function reportPause(times: number[], endedAt: number): void {
  const after = [endedAt, ...times.filter((time) => time > endedAt)];
  const gaps = after.slice(1).map((time, index) => time - (after[index] ?? time));
  test.info().annotations.push({ type: 'pause', description: `${Math.max(...gaps)} ms` });
}

/** Tabs in which the API runs; the first has the engine. */
export async function openTabs(
  profile: BrowserContext,
  site: TestSite,
  count: number,
  options: StartOptions = {},
): Promise<[leader: Page, ...others: Page[]]> {
  const leader = await openPage(profile, site.url);
  await leader.evaluate((all) => window.begin(all), { ...options, model: TINY });
  const others: Page[] = [];
  while (others.length < count - 1) {
    const page = await openPage(profile, site.url);
    await page.evaluate((all) => window.begin(all), options);
    others.push(page);
  }
  return [leader, ...others];
}

/** The worker that the engine runs in. */
export function engineOf(page: Page): Worker {
  const worker = page.workers().find((each) => each.url().endsWith('/engine.js'));
  if (!worker) throw new Error('The page has no engine.');
  return worker;
}
