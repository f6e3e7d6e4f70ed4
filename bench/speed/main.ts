/**
 * Prints as JSON how fast llama.cpp writes with drafts and without. The first argument is the model's GGUF file; further ones
 * choose requests by their names. Both sides are the whole API, with an engine in this process that computes on one thread.
 * Times are of the processor.
 */
import { readFileSync } from 'node:fs';
import { MODEL } from '../../test/contract/support/api.ts';
import { LlamaCppEngine } from '../../test/contract/support/llamacpp-engine.ts';
import { quickApp } from '../../test/contract/support/quick-app.ts';
import { median } from '../statistics.ts';
import { processorMs } from './processor-time.ts';
import { REQUESTS } from './requests.ts';
import { chunksOf, textOf } from './streamed-chat.ts';

/** Pairs of measurements; before them, one is not counted. */
const PAIRS = 2;

interface Timed {
  /** Milliseconds of the processor from the first token to the last. */
  ms: number;
  tokens: number;
  /** What was sent, in order. */
  deltas: string;
}

const [path = '', ...names] = process.argv.slice(2);
const file = Uint8Array.from(readFileSync(path));
const [drafting, plain] = [openSide(), openSide({ mostDrafted: 0 })];

function openSide(options?: { mostDrafted: number }): (body: object) => Promise<Timed> {
  const { post } = quickApp(new LlamaCppEngine(file, options));
  return async (body) => {
    const more = { model: MODEL, stream: true, timings_per_token: true };
    const response = await post('/chat/completions', JSON.stringify({ ...body, ...more }));
    if (!response.ok || !response.body) throw new Error(await response.text());
    return timed(response.body);
  };
}

async function timed(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Timed> {
  const deltas: unknown[] = [];
  let tokens = 0;
  let first: { ms: number; tokens: number } | undefined;
  for await (const chunk of chunksOf(body)) {
    ({ tokens } = chunk);
    if (tokens > 0) first ??= { ms: processorMs(), tokens };
    deltas.push(...chunk.deltas);
  }
  if (!first) throw new Error('Nothing was written.');
  return { ms: processorMs() - first.ms, tokens: tokens - first.tokens, deltas: textOf(deltas) };
}

/** Both sides take turns. @throws Error if they write different answers */
async function compare(requests: readonly object[]) {
  const ratios: number[] = [];
  let tokens = 0;
  for (let pair = 0; pair <= PAIRS; pair++) {
    const sums = { drafting: 0, plain: 0 };
    tokens = 0;
    for (const request of requests) {
      const isFirst = pair % 2 === 0;
      const before = isFirst ? undefined : await plain(request);
      const drafted = await drafting(request);
      const undrafted = before ?? (await plain(request));
      if (drafted.deltas !== undrafted.deltas) {
        throw new Error(`The answers differ:\n${drafted.deltas}\n${undrafted.deltas}`);
      }
      sums.drafting += drafted.ms;
      sums.plain += undrafted.ms;
      tokens += drafted.tokens;
    }
    if (pair > 0) ratios.push(sums.plain / sums.drafting);
  }
  return { ratio: median(ratios), tokens };
}

const results: Record<string, Awaited<ReturnType<typeof compare>>> = {};
for (const [name, requests] of Object.entries(REQUESTS)) {
  if (names.length === 0 || names.includes(name)) results[name] = await compare(requests);
}
console.log(JSON.stringify(results));
