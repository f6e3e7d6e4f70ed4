import { test } from 'playwright/test';
import type { DrivenPage } from './browser/driven-page.ts';
import { TINY } from './site.ts';

/** Tabs in the background draw no frames, and Playwright waits for frames by default; milliseconds. */
export const POLLING = { polling: 20 };

/** What a page has received of a streamed answer. */
export interface Streamed {
  status: number;
  /** Reasoning and content, in the order of their chunks. */
  text: string;
  finishReasons: string[];
  usage: { prompt_tokens: number; completion_tokens: number } | null;
  /** The last event was `[DONE]`. */
  done: boolean;
  /** Code of the error event, or the message of the error that broke the response. */
  error: string | null;
  /** The response is over. */
  ended: boolean;
  /** When each piece of text arrived, Unix milliseconds. */
  times: number[];
}

declare global {
  interface Window {
    streamed: Streamed;
  }
}

/** Sends a request with a plain fetch; `window.streamed` shows what has arrived. */
export function startStream(page: DrivenPage, body: Record<string, unknown>): Promise<void> {
  const options = { model: TINY, stream: true, stream_options: { include_usage: true } };
  return page.evaluate(streamInPage, { ...options, ...body });
}

/** Runs in the page: it can use nothing from this file. */
function streamInPage(body: Record<string, unknown>): void {
  const got: Streamed = {
    status: 0,
    text: '',
    finishReasons: [],
    usage: null,
    done: false,
    error: null,
    ended: false,
    times: [],
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
    const response = await window.post('chat/completions', body);
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

/** Returns when at least this many characters of the answer have arrived. */
export async function untilLength(page: DrivenPage, length: number): Promise<void> {
  await page.waitForFunction((least) => window.streamed.text.length >= least, length, POLLING);
}

/** Returns the answer when its response is over. */
export async function untilEnded(page: DrivenPage): Promise<Streamed> {
  await page.waitForFunction(() => window.streamed.ended, null, POLLING);
  return page.evaluate(() => window.streamed);
}

export async function answerTo(page: DrivenPage, body: Record<string, unknown>): Promise<Streamed> {
  await startStream(page, body);
  return untilEnded(page);
}

/** Adds to the test's report how long the answer paused after a fault. */
export function reportPause({ times }: Streamed, faultAt: number): void {
  const after = [faultAt, ...times.filter((time) => time > faultAt)];
  const gaps = after.slice(1).map((time, index) => time - (after[index] ?? time));
  test.info().annotations.push({ type: 'pause', description: `${Math.max(...gaps)} ms` });
}
