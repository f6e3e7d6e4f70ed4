import * as v from 'valibot';
import { call, withBrowser } from './browser.ts';
import type { DirectOnnxModel } from './direct/embed-messages.ts';
import { measured, type Reading } from './figures.ts';
import { bothSides, measurePairs, medianOfPairs, mediansBySide, type Side } from './pairs.ts';
import type { RawPage } from './raw-browser.ts';
import type { Launch } from './section.ts';

const MODEL = 'slashv1/tiny-embed';

/** 11 tokens with the special ones. */
const SHORT = 'Paula picked orange for the garage.';
/** As long as the model reads. */
const LONG = 'The chemist opens at ten on Friday. '.repeat(27);

/** How many texts a request has, and how often it is measured in a launch. */
const CASES = [
  { name: 'embed.short.1', text: SHORT, texts: 1, pairs: 20 },
  { name: 'embed.short.32', text: SHORT, texts: 32, pairs: 8 },
  { name: 'embed.short.2048', text: SHORT, texts: 2_048, pairs: 1 },
  { name: 'embed.long.1', text: LONG, texts: 1, pairs: 8 },
  { name: 'embed.long.32', text: LONG, texts: 32, pairs: 1 },
];

const timedSchema = v.object({ ms: v.number(), first: v.array(v.number()), length: v.number() });
type Timed = v.InferOutput<typeof timedSchema>;

/** Embeddings through `/v1` beside transformers.js called directly, both on one thread. */
export function embeddings({ origin, isSwapped, pairs }: Launch): Promise<Reading[]> {
  return withBrowser(async (browser) => {
    const page = await browser.open(`${origin}/slashv1/v1.html`);
    const model: DirectOnnxModel = {
      pack: `${origin}/slashv1/packs/tiny-embed/`,
      runtime: `${origin}/slashv1/onnx.wasm`,
    };
    const script = `${origin}/direct/embed-worker.js`;
    const start = {
      v1: () => page.evaluate(call('bench.startV1', MODEL, { speechThreads: 1 })),
      direct: () => page.evaluate(call('bench.startDirectEmbedding', script, model)),
    };
    await bothSides(start, isSwapped);
    const readings: Reading[] = [];
    for (const { name, text, texts, pairs: usual } of CASES) {
      const input = Array.from({ length: texts }, (_, place) => `${place} ${text}`);
      readings.push(...(await measureCase(page, name, input, pairs ?? usual, isSwapped)));
    }
    return readings;
  });
}

async function measureCase(
  page: RawPage,
  name: string,
  input: string[],
  count: number,
  isSwapped: boolean,
): Promise<Reading[]> {
  const sides = { v1: () => embed(page, 'v1', input), direct: () => embed(page, 'direct', input) };
  const [warm] = await measurePairs(1, sides, isSwapped);
  if (warm) checkSame(warm.v1, warm.direct);
  const measuredPairs = await measurePairs(count, sides, isSwapped);
  const { v1, direct } = mediansBySide(measuredPairs, ({ ms }) => ms);
  const ratio = medianOfPairs(measuredPairs, (pair) => pair.direct.ms / pair.v1.ms);
  const note = 'time of transformers.js ÷ time through /v1';
  return [
    measured(`${name}_ratio`, ratio, note),
    measured(`${name}_v1_ms`, v1),
    measured(`${name}_direct_ms`, direct),
  ];
}

async function embed(page: RawPage, side: Side, input: string[]): Promise<Timed> {
  const work =
    side === 'v1' ? call('bench.embedV1', MODEL, input) : call('bench.embedDirect', input);
  return v.parse(timedSchema, await page.evaluate(work));
}

/** @throws Error if the sides did not compute the same */
function checkSame(v1: Timed, direct: Timed): void {
  const isSame =
    v1.length === direct.length &&
    v1.first.every((value, index) => Math.abs(value - (direct.first[index] ?? 0)) < 1e-3);
  if (!isSame) throw new Error('The two sides give different vectors.');
}
