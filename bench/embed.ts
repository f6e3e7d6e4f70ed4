import * as v from 'valibot';
import { call, withBrowser } from './browser.ts';
import type { DirectOnnxModel } from './direct/embed-messages.ts';
import { onBareHost } from './bare-host.ts';
import { measured, type Reading } from './figures.ts';
import { bothSides, measurePairs, medianOfPairs, mediansBySide, type BySide } from './pairs.ts';
import { MINILM } from './random-minilm.ts';
import type { RawPage } from './raw-browser.ts';
import type { Launch } from './section.ts';
import { median } from './statistics.ts';

/** An embedder, and the requests that are measured. */
interface Workload {
  name: string;
  model: string;
  /** Name of the pack's folder. */
  pack: string;
  cases: Case[];
}

interface Case {
  name: string;
  input: string[];
  /** How often it is measured in a launch. */
  pairs: number;
  /** Each text is a request of its own, and all are sent at once. */
  isApart?: boolean;
  /** Texts in each call of transformers.js; default: all. */
  perCall?: number;
}

const timedSchema = v.object({ ms: v.number(), first: v.array(v.number()), length: v.number() });
type Timed = v.InferOutput<typeof timedSchema>;

/** 12 tokens, including the special tokens. */
const SHORT = texts('Paula picked orange for the garage.');
const SENTENCE = 'The chemist opens at ten on Friday. ';

const TINY_MODEL = { model: 'slashv1/tiny-embed', pack: 'tiny-embed' };
const TINY_LONG = texts(SENTENCE.repeat(31));

const TINY: Workload = { name: 'embed.tiny', ...TINY_MODEL, cases: casesOf(TINY_LONG) };

const MANY_LONG: Workload = {
  name: 'embed.long',
  ...TINY_MODEL,
  // In one call, the attention of all texts alone would take 2 GB.
  cases: [{ name: '2048', input: TINY_LONG(2_048), pairs: 1, perCall: 32 }],
};

const MINI: Workload = {
  name: 'embed.minilm',
  model: MINILM,
  pack: 'random-minilm',
  cases: [
    ...casesOf(texts(SENTENCE.repeat(63))),
    { name: 'at_once.8', input: SHORT(8), pairs: 8, isApart: true },
  ],
};

/** A model so small that a request's overhead takes longer than its computation. */
export function tinyEmbeddings(launch: Launch): Promise<Reading[]> {
  return inPage(launch, TINY, (page) => measureCases(page, launch, TINY));
}

/** Long texts, as many as a request can have. */
export function manyLongEmbeddings(launch: Launch): Promise<Reading[]> {
  return inPage(launch, MANY_LONG, (page) => measureCases(page, launch, MANY_LONG));
}

/** A model of the size that sites use. */
export function miniLmEmbeddings(launch: Launch): Promise<Reading[]> {
  return inPage(launch, MINI, async (page, bare) => [
    ...(await measureCases(page, launch, MINI)),
    ...(await measureWithoutWorker(page, launch)),
    ...(await measureBare(bare)),
  ]);
}

/** Starts both sides in one page, each on one thread. */
function inPage(
  { origin, isSwapped }: Launch,
  { model, pack }: Workload,
  measure: (page: RawPage, bare: RawPage) => Promise<Reading[]>,
): Promise<Reading[]> {
  return withBrowser(async (browser) => {
    const page = await browser.open(`${origin}/slashv1/v1.html`);
    const files: DirectOnnxModel = {
      pack: `${origin}/slashv1/packs/${pack}/`,
      runtime: `${origin}/slashv1/onnx.wasm`,
    };
    const script = `${origin}/direct/embed-worker.js`;
    const start = {
      v1: () => page.evaluate(call('bench.startV1', model, { speechThreads: 1 })),
      direct: () => page.evaluate(call('bench.startDirectEmbedding', script, files)),
    };
    await bothSides(start, isSwapped);
    return measure(page, await onBareHost(browser, origin));
  });
}

async function measureCases(
  page: RawPage,
  launch: Launch,
  { name: prefix, model, cases }: Workload,
): Promise<Reading[]> {
  const readings: Reading[] = [];
  for (const { name, input, pairs, isApart = false, perCall } of cases) {
    const sides = {
      v1: () => ask(page, call('bench.embedV1', model, input, isApart ? 1 : undefined)),
      direct: () => ask(page, call('bench.embedDirect', input, isApart ? 1 : perCall)),
    };
    const results = await pairsOf(sides, launch, pairs);
    const { v1, direct } = mediansBySide(results, ({ ms }) => ms);
    const note = 'time of transformers.js ÷ time through /v1';
    readings.push(
      measured(`${prefix}.${name}_ratio`, ratioOf(results), note),
      measured(`${prefix}.${name}_v1_ms`, v1),
      measured(`${prefix}.${name}_direct_ms`, direct),
    );
  }
  return readings;
}

/** One short text through `v1.fetch`, which bypasses the service worker. */
async function measureWithoutWorker(page: RawPage, launch: Launch): Promise<Reading[]> {
  const input = SHORT(1);
  const sides = {
    v1: () => ask(page, call('bench.embedInPage', MINILM, input)),
    direct: () => ask(page, call('bench.embedDirect', input)),
  };
  const results = await pairsOf(sides, launch, 20);
  const note = 'time of transformers.js ÷ time through v1.fetch';
  return [measured('embed.minilm.short.1_page_ratio', ratioOf(results), note)];
}

/** One short text to a service worker that only reads the request and answers. */
async function measureBare(bare: RawPage): Promise<Reading[]> {
  const times: number[] = [];
  for (let n = 0; n < 30; n++) {
    const { ms } = await ask(bare, call('bench.embedBare', MINILM, SHORT(1)));
    // The first ten requests are a warm-up.
    if (n >= 10) times.push(ms);
  }
  return [measured('embed.bare_request_ms', median(times))];
}

async function pairsOf(
  sides: BySide<() => Promise<Timed>>,
  { isSwapped, pairs }: Launch,
  usual: number,
): Promise<BySide<Timed>[]> {
  // The first pair is a warm-up. A case that is measured only once takes so long that a warm-up makes no difference.
  if (usual > 1) await measurePairs(1, sides, isSwapped);
  const results = await measurePairs(pairs ?? usual, sides, isSwapped);
  for (const { v1, direct } of results) checkSame(v1, direct);
  return results;
}

function ratioOf(results: BySide<Timed>[]): number {
  return medianOfPairs(results, ({ v1, direct }) => direct.ms / v1.ms);
}

async function ask(page: RawPage, work: string): Promise<Timed> {
  return v.parse(timedSchema, await page.evaluate(work));
}

/** Different texts of about the same length. */
function texts(text: string): (count: number) => string[] {
  return (count) => Array.from({ length: count }, (_, place) => `${place} ${text}`);
}

/** @param long - makes texts almost as long as the model can read */
function casesOf(long: (count: number) => string[]): Case[] {
  return [
    { name: 'short.1', input: SHORT(1), pairs: 20 },
    { name: 'short.32', input: SHORT(32), pairs: 8 },
    { name: 'short.2048', input: SHORT(2_048), pairs: 1 },
    { name: 'long.1', input: long(1), pairs: 8 },
    { name: 'long.32', input: long(32), pairs: 1 },
  ];
}

/** @throws Error if the sides did not compute the same */
function checkSame(v1: Timed, direct: Timed): void {
  const isSame =
    v1.length === direct.length &&
    v1.first.every((value, index) => Math.abs(value - (direct.first[index] ?? 0)) < 1e-3);
  if (!isSame) throw new Error('The two sides give different vectors.');
}
