/**
 * Prints as JSON how long the API app itself takes, in microseconds: for a request (routing, validation, encoding)
 * and for each further chunk of a stream. Its engine takes no time, and it has no stored data. Measures a plain
 * request and one with many fields.
 */
import { Bench } from 'tinybench';
import type { CatalogEntry } from '../../src/core/catalog/catalog-entry.ts';
import { engineOf, withoutEvents } from '../../src/core/port/engine.ts';
import type { GenerateEvent } from '../../src/core/operations/events/events.ts';
import type { ApiOperation } from '../../src/core/operations/jobs/jobs.ts';
import { createApp } from '../../sw/app.ts';
import { RequestBody } from '../../sw/http/request-body.ts';
import { RequestLog } from '../../sw/metering/request-log.ts';

const MODEL = 'test/model';
const MANY_CHUNKS = 1_000;

const entry: CatalogEntry = {
  id: MODEL,
  task: 'chat',
  ownedBy: 'test',
  created: 0,
  contextLength: 4096,
  variants: [
    {
      id: 'webllm-q4f16_1',
      engine: 'webllm',
      quantization: 'q4f16_1',
      needs: {},
      source: { kind: 'hub', repository: MODEL, library: '' },
      modelLibrary: '',
      installed: { revision: '', files: [] },
    },
  ],
};

interface RequestKind {
  /** Fields that are added to the usual request. */
  fields: object;
  /** One piece of the answer. */
  piece: GenerateEvent;
}

const PLAIN: RequestKind = { fields: {}, piece: { type: 'text', text: ' token' } };

const chance = (token: string, logprob: number) => ({
  token,
  logprob,
  bytes: [...new TextEncoder().encode(token)],
});

/** Tools (their schemas are compiled once and cached), a history of calls, and logprobs. */
const FULL: RequestKind = {
  fields: {
    temperature: 0.7,
    top_p: 0.9,
    top_k: 40,
    seed: 7,
    stop: ['END'],
    logit_bias: { 7: -100 },
    logprobs: true,
    top_logprobs: 2,
    tool_choice: 'auto',
    tools: ['get_weather', 'get_time', 'search'].map((name) => ({
      type: 'function',
      function: {
        name,
        description: 'What it does, and when to call it.',
        parameters: {
          type: 'object',
          properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
          required: ['city'],
          additionalProperties: false,
        },
      },
    })),
    messages: [
      { role: 'system', content: 'You are a helpful assistant.' },
      { role: 'user', content: 'What is the weather in Paris?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'get_weather', arguments: '{"city":"Paris"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '{"temperature":21}' },
    ],
  },
  piece: {
    type: 'text',
    text: ' token',
    logprobs: [{ ...chance(' token', -0.5), top: [chance(' token', -0.5), chance(' word', -1.5)] }],
  },
};

const nothing = () => withoutEvents(() => Promise.resolve());

function writerOf(piece: GenerateEvent, chunks: number) {
  return engineOf<ApiOperation>({
    decide: nothing,
    speak: nothing,
    embed: nothing,
    rerank: nothing,
    transcribe: nothing,
    tokens: nothing,
    memory: nothing,
    files: nothing,
    stores: nothing,
    members: nothing,
    'find-chunks': nothing,
    mcp: nothing,
    metrics: nothing,
    load: nothing,
    unload: nothing,
    install: nothing,
    remove: nothing,
    states: nothing,
    watch: nothing,
    async *generate() {
      yield { type: 'start' };
      for (let n = 0; n < chunks; n++) yield piece;
      const usage = { promptTokens: 20, completionTokens: chunks, cachedTokens: 0 };
      yield { type: 'finish', reason: 'stop', usage };
    },
  });
}

/** The log through which pages could watch requests. No page does. */
const log = new RequestLog(`/${crypto.randomUUID()}/`);

function appOf(piece: GenerateEvent, chunks: number, isWatchable: boolean) {
  const authenticate = () => Promise.resolve({ id: '', label: '', createdAt: 0 });
  return createApp({
    path: '/v1',
    engine: writerOf(piece, chunks),
    authenticate,
    authenticateUrl: authenticate,
    device: () => Promise.resolve({}),
    ...(isWatchable && { log }),
    catalog: { list: () => Promise.resolve([entry]), get: () => Promise.resolve(entry) },
  });
}

function request({ fields }: RequestKind, stream: boolean): Request {
  return new Request('http://localhost/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer test' },
    body: JSON.stringify({
      model: MODEL,
      messages: [
        { role: 'system', content: 'You are a helpful assistant.' },
        { role: 'user', content: 'What is the capital of France?' },
      ],
      temperature: 0,
      max_tokens: 100,
      ...fields,
      stream,
    }),
  });
}

/** Median milliseconds from a request to the last byte of its answer. */
async function medianMs(
  kind: RequestKind,
  chunks: number,
  stream: boolean,
  isWatchable = false,
): Promise<number> {
  const app = appOf(kind.piece, chunks, isWatchable);
  let next = request(kind, stream);
  const bench = new Bench({ time: 300, warmupTime: 300, throws: true });
  const answer = async () => {
    const response = await app(next);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`HTTP ${response.status}`);
  };
  // Making the request is the client's work, so it is not timed.
  bench.add('answer', answer, { beforeEach: () => void (next = request(kind, stream)) });
  const [task] = await bench.run();
  const result = task?.result;
  if (result?.state !== 'completed') throw new Error('The API app could not be measured.');
  return result.latency.p50;
}

async function microseconds(kind: RequestKind) {
  const requestMs = await medianMs(kind, 1, false);
  const one = await medianMs(kind, 1, true);
  const many = await medianMs(kind, 1 + MANY_CHUNKS, true);
  const chunkMs = (many - one) / MANY_CHUNKS;
  return { request_us: requestMs * 1000, chunk_us: chunkMs * 1000 };
}

/** Time of a request or a stream with a log that no page watches ÷ time without a log. */
async function unwatchedRatio(chunks: number, stream: boolean): Promise<number> {
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const without = await medianMs(PLAIN, chunks, stream);
    ratios.push((await medianMs(PLAIN, chunks, stream, true)) / without);
  }
  return ratios.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? NaN;
}

const ROUNDS = 5;
// Not counted: in its first seconds a request takes about twice as long, until the code has been optimised.
for (const kind of [PLAIN, FULL, PLAIN, FULL]) {
  for (const stream of [false, true]) await medianMs(kind, 1, stream);
}
const plain = await microseconds(PLAIN);
const full = await microseconds(FULL);
// On its first request, the log asks whether pages watch. After a second without an answer, it stops asking.
const asking = new Request('http://localhost/v1/models');
log.begin({ id: '', path: 'v1/models', request: asking, body: RequestBody.of(asking) });
await new Promise((resolve) => setTimeout(resolve, 1_200));
const unwatched = {
  request: await unwatchedRatio(1, false),
  stream: await unwatchedRatio(MANY_CHUNKS, true),
};
process.stdout.write(`${JSON.stringify({ plain, full, unwatched })}\n`);
// The log's channel to pages keeps Node running.
process.exit();
