import type { Page } from 'playwright/test';
import { seededRandom } from '../../../scripts/seeded-random.ts';
import { expect, openStarted, test } from '../support/fixtures.ts';
import { phrases, recording } from '../support/media/hearing.ts';
import { unload } from '../support/models.ts';
import { about, showing } from '../support/media/seeing.ts';
import {
  EMBEDDER,
  GGUF_EMBEDDER,
  RANKER,
  RECOGNISER,
  SEER,
  serveTestSite,
} from '../support/site.ts';

// Models are loaded several times, which is slow on a busy machine.
test.describe.configure({ timeout: 360_000 });

/**
 * A key may have 64 requests at a time for models of one kind. A service worker hears of an abort only when a stream
 * begins or a whole answer is complete, so those that were aborted earlier are among them.
 */
const REQUESTS_OF_EACH = 16;
const AT_ONCE = 8;

interface Asked {
  model: string;
  path: string;
  body: object;
  /** In base64: the body is a form. */
  file?: string;
}

interface Aborted extends Asked {
  /** Milliseconds after the request; negative: before it. */
  moment: number;
}

/** Stands in for an answer's status. */
const ABORTED = 0;

interface Answer {
  status: number;
  text: string;
  milliseconds: number;
}

const [phrase] = phrases;
if (!phrase) throw new Error('There are no phrases.');
const sound = (seconds: number) =>
  recording(seconds, [{ at: seconds - 5, phrase }]).toString('base64');
const hearing = { model: RECOGNISER, path: 'audio/transcriptions' };
const seen = showing(about('red-circle.png', 'What is in the picture?'));
const seeing = { model: SEER, path: 'chat/completions' };
const texts = Array.from({ length: 128 }, (_, place) => `${place} apples. `.repeat(9));

/** One request of each kind. */
const SHORT: Asked[] = [
  { model: EMBEDDER, path: 'embeddings', body: { input: 'Bread' } },
  { model: GGUF_EMBEDDER, path: 'embeddings', body: { input: 'Bread' } },
  { model: RANKER, path: 'rerank', body: { query: 'Bread', documents: ['Butter'] } },
  { ...hearing, body: { response_format: 'text' }, file: sound(6) },
  { ...seeing, body: seen },
];
/** One request of each kind, with much to do. */
const LONG: Asked[] = [
  { model: EMBEDDER, path: 'embeddings', body: { input: texts } },
  { model: GGUF_EMBEDDER, path: 'embeddings', body: { input: texts.slice(0, 32) } },
  { model: RANKER, path: 'rerank', body: { query: 'Apples?', documents: texts } },
  { ...hearing, body: { stream: true }, file: sound(100) },
  { ...seeing, body: { ...seen, stream: true, ignore_eos: true, max_tokens: 100 } },
];

for (const serviceWorker of [true, false]) {
  const way = serviceWorker ? 'the service worker' : 'v1.fetch';

  test(`after aborted requests of each kind, each kind is answered: ${way}`, async ({
    fresh,
    closing,
  }) => {
    const packs = ['tiny-embed', 'tiny-embed-gguf', 'tiny-rerank', 'tiny-hear', 'tiny-see'];
    const site = closing(await serveTestSite('/', packs));
    const page = await openStarted(fresh, site.url, serviceWorker ? {} : { serviceWorker });
    const before = await answers(page, SHORT);
    const long = await answers(page, LONG);
    const earlier = await metrics(page);
    // The first requests of each kind are aborted while its model is loaded.
    for (const { model } of LONG) await unload(page, model);

    const storm = stormOf(long.map(({ milliseconds }) => milliseconds));
    const outcomes = await ask(page, storm, AT_ONCE);
    expect(outcomes.filter(({ status }) => status !== ABORTED && status !== 200)).toEqual([]);

    const after = await answers(page, SHORT);
    expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
    await expect.poll(async () => underWay(await metrics(page))).toBe(0);
    const now = await metrics(page);
    const ended = LONG.map(({ model, body }) => {
      const count = (outcome: string) => {
        const name = `requests_total{model="${model}",outcome="${outcome}"}`;
        return now(name) - earlier(name);
      };
      return {
        model,
        // Behind a service worker, a whole answer takes no longer than its grace, so its aborts come too late.
        isHeard: !serviceWorker || 'stream' in body,
        cancelled: count('cancelled'),
        answered: count('answered'),
        failed: count('failed'),
      };
    });
    // The engine got the aborts, and computed no answers that nobody reads. Some requests were aborted before it began.
    const isFine = ({ isHeard, failed, answered }: (typeof ended)[number]) =>
      failed === 0 && (!isHeard || answered < REQUESTS_OF_EACH / 2);
    expect(ended.filter((each) => !isFine(each))).toEqual([]);
    // How many it had begun depends on the machine's speed.
    expect(ended.some(({ cancelled }) => cancelled > 0)).toBe(true);
  });
}

/** @param milliseconds - that a whole answer of each kind takes */
function stormOf(milliseconds: number[]): Aborted[] {
  const random = seededRandom(16);
  return Array.from({ length: REQUESTS_OF_EACH }, (_, round) =>
    LONG.map((asked, kind): Aborted => {
      // One comes before the request and one at once; the others are spread over the time of an answer.
      const moment = round < 2 ? round - 1 : random() * (milliseconds[kind] ?? 0);
      return { ...asked, moment };
    }),
  ).flat();
}

/** How many requests wait or run. */
function underWay(counted: Counted): number {
  const states = ['waiting', 'running'];
  const all = LONG.flatMap(({ model }) =>
    states.map((state) => counted(`requests_${state}{model="${model}"}`)),
  );
  return all.reduce((sum, count) => sum + count);
}

/** Whole answers, one after the other, without what differs each time. */
async function answers(page: Page, asked: Asked[]): Promise<Answer[]> {
  const requests = asked.map((each) => ({ ...each, moment: Infinity }));
  const whole = await ask(page, requests, 1);
  expect(whole.map(({ status }) => status)).toEqual(asked.map(() => 200));
  return whole.map(({ text, ...rest }) => ({
    ...rest,
    text: text.replace(/"(?:id|created)":[^,]+,|"usage":.*/g, ''),
  }));
}

/** Sends the requests, a number of them at a time. Each is aborted at its moment unless it was answered before. */
function ask(page: Page, requests: Aborted[], atOnce: number): Promise<Answer[]> {
  return page.evaluate(
    async ([all, most, aborted]) => {
      const sendForm = (path: string, fields: object, file: Blob, signal: AbortSignal) => {
        const form = new FormData();
        form.append('file', file, 'sound.wav');
        for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
        const { baseURL, apiKey } = window.v1;
        const headers = { authorization: `Bearer ${apiKey}` };
        const init = { method: 'POST', headers, body: form, signal };
        return window.apiFetch(`${baseURL}/${path}`, init);
      };
      const send = async ({ model, path, body, file, moment }: Aborted): Promise<Answer> => {
        const controller = new AbortController();
        const abort = () => controller.abort();
        const bytes = file && (await (await fetch(`data:;base64,${file}`)).blob());
        const begun = performance.now();
        if (moment < 0) abort();
        const timer = Number.isFinite(moment) ? setTimeout(abort, moment) : undefined;
        const answered = (status: number, text: string) => {
          clearTimeout(timer);
          return { status, text, milliseconds: performance.now() - begun };
        };
        try {
          const { signal } = controller;
          const response = bytes
            ? await sendForm(path, { ...body, model }, bytes, signal)
            : await window.post(path, { ...body, model }, { signal });
          return answered(response.status, await response.text());
        } catch (error) {
          return answered(controller.signal.aborted ? aborted : -1, String(error));
        }
      };
      const outcomes: Answer[] = [];
      const left = [...all.entries()];
      const next = async (): Promise<void> => {
        const [place, request] = left.shift() ?? [];
        if (place === undefined || !request) return;
        outcomes[place] = await send(request);
        return next();
      };
      await Promise.all(Array.from({ length: most }, next));
      return outcomes;
    },
    [requests, atOnce, ABORTED] as const,
  );
}

/** A number of the engine's metrics. */
type Counted = (name: string) => number;

async function metrics(page: Page): Promise<Counted> {
  const lines = await page.evaluate(async () => {
    const headers = { authorization: `Bearer ${window.v1.apiKey}` };
    const response = await window.apiFetch(`${window.v1.baseURL}/metrics`, { headers });
    return (await response.text()).split('\n');
  });
  return (name) => {
    const start = `slashv1_${name} `;
    return Number(lines.find((line) => line.startsWith(start))?.slice(start.length));
  };
}
