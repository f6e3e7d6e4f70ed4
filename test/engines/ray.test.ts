import type { Page } from 'playwright/test';
import { expect } from '../browser/support/fixtures.ts';
import { makeTempFolder, removeTempFolder } from '../browser/support/storage/temp-folder.ts';
import { startEngine, type Engine } from './support/engine.ts';
import { beginWith, expectSame, test } from './support/through.ts';

const MODEL = 'ray/echo';
/** Browsers open no more connections to a server with HTTP/1.1. */
const STREAMS = 6;
/** In `ray_app.py`. */
const EVENTS = 40;

const messages = [{ role: 'user' as const, content: 'Grüße, 你好' }];

let engine: Engine;
let folder: string;

test.beforeAll(async () => {
  folder = makeTempFolder('ray');
  const env = {
    RAY_USAGE_STATS_ENABLED: '0',
    RAY_DEDUP_LOGS: '0',
    // Ray starts slowly on a busy machine.
    RAY_raylet_start_wait_time_s: '300',
  };
  engine = await startEngine(
    'ray',
    (port) => ['test/engines/ray_app.py', String(port), folder],
    env,
  );
});

test.afterAll(async () => {
  await engine.close();
  removeTempFolder(folder);
});

test('Ray Serve: chats, recordings and errors are the same', async ({ page, closing }) => {
  const upstream = await beginWith(page, engine, closing);
  const path = 'chat/completions';
  await expectSame(upstream, { path, json: { model: MODEL, messages } }, '你好');
  await expectSame(upstream, { path, json: { model: MODEL, messages: 1 } }, 'error', 422);
  const form = { model: MODEL, file: 'RIFF'.repeat(50_000) };
  await expectSame(upstream, { path: 'audio/transcriptions', form }, 'text');
});

test('Ray Serve: a replica is killed in mid-load: its streams end as broken, those of the other are whole', async ({
  page,
  closing,
}) => {
  const upstream = await beginWith(page, engine, closing);
  await beginStreams(page);
  const begun = () => page.evaluate(() => window.streams.filter(({ text }) => text !== '').length);
  await expect.poll(begun).toBe(STREAMS);
  const [first = '', ...others] = new Set(
    (await streamsOf(page)).map(({ text }) => text.split(' ')[0]),
  );
  expect(others).toHaveLength(1);
  process.kill(Number(first), 'SIGKILL');
  await expect
    .poll(async () => (await streamsOf(page)).filter(({ end }) => end === '').length)
    .toBe(0);
  const ended = await streamsOf(page);
  const [other = ''] = others;
  for (const { text, end } of ended) {
    const isKilled = text.startsWith(`${first} `);
    expect([text.split(' ').length - 1 === EVENTS, end]).toEqual(
      isKilled ? [false, expect.stringContaining('Error')] : [true, 'whole'],
    );
  }
  expect(new Set(ended.map(({ text }) => text.split(' ')[0]))).toEqual(new Set([first, other]));
  await expectSame(
    upstream,
    { path: 'chat/completions', json: { model: MODEL, messages } },
    'choices',
  );
});

declare global {
  interface Window {
    /** `end` is empty until the stream has ended, then `whole` or the error. */
    streams: { text: string; end: string }[];
  }
}

/** Starts streams with the openai package; `window.streams` shows what has arrived. */
function beginStreams(page: Page): Promise<void> {
  return page.evaluate(
    ([model, asked, count]) => {
      const read = async (seen: Window['streams'][number]) => {
        const { chat } = window.client;
        const body = { model, messages: asked, stream: true } as const;
        for await (const { choices } of await chat.completions.create(body)) {
          seen.text += choices[0]?.delta.content ?? '';
        }
      };
      window.streams = Array.from({ length: count }, () => ({ text: '', end: '' }));
      for (const seen of window.streams) {
        void read(seen).then(
          () => (seen.end = 'whole'),
          (error: unknown) => (seen.end = String(error)),
        );
      }
    },
    [MODEL, messages, STREAMS] as const,
  );
}

function streamsOf(page: Page) {
  return page.evaluate(() => window.streams);
}
