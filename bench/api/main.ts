/**
 * Prints as JSON what the API app itself takes, in microseconds, with an engine that takes no time and
 * nothing stored: a request (routing, validation, encoding), and each further chunk of a stream.
 */
import { Bench } from 'tinybench';
import type { CatalogEntry } from '../../src/core/catalog-entry.ts';
import type { Engine, Job, JobEvent } from '../../src/core/engine.ts';
import { createApp } from '../../sw/app.ts';

const MODEL = 'test/model';
const MANY_CHUNKS = 1_000;

const entry: CatalogEntry = {
  id: MODEL,
  source: { kind: 'hub', repository: MODEL, modelLibrary: '', needsF16: false },
  ownedBy: 'test',
  created: 0,
  quantization: 'q4f16_1',
  contextLength: 4096,
};

function engineOf(chunks: number): Engine {
  return {
    async *run(_job: Job): AsyncGenerator<JobEvent, void, undefined> {
      yield { type: 'start' };
      for (let n = 0; n < chunks; n++) yield { type: 'text', text: ' token' };
      const usage = { promptTokens: 20, completionTokens: chunks, cachedTokens: 0 };
      yield { type: 'finish', reason: 'stop', usage };
    },
  };
}

function appOf(chunks: number) {
  const authenticate = () => Promise.resolve({ id: '', label: '', createdAt: 0 });
  return createApp({
    root: '/',
    engine: engineOf(chunks),
    authenticate,
    authenticateUrl: authenticate,
    catalog: { list: () => Promise.resolve([entry]), get: () => Promise.resolve(entry) },
  });
}

function request(stream: boolean): Request {
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
      stream,
    }),
  });
}

/** Median milliseconds from a request to the last byte of its answer. */
async function medianMs(chunks: number, stream: boolean): Promise<number> {
  const app = appOf(chunks);
  let next = request(stream);
  const bench = new Bench({ time: 1_000, warmupTime: 500, throws: true });
  const answer = async () => {
    const response = await app(next);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`HTTP ${response.status}`);
  };
  // Making the request is the client's part.
  bench.add('answer', answer, { beforeEach: () => void (next = request(stream)) });
  const [task] = await bench.run();
  const result = task?.result;
  if (result?.state !== 'completed') throw new Error('The API app could not be measured.');
  return result.latency.p50;
}

const requestMs = await medianMs(1, false);
const chunkMs = ((await medianMs(1 + MANY_CHUNKS, true)) - (await medianMs(1, true))) / MANY_CHUNKS;
const microseconds = { request_us: requestMs * 1000, chunk_us: chunkMs * 1000 };
process.stdout.write(`${JSON.stringify(microseconds)}\n`);
