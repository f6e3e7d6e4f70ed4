import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Job } from '../../../../src/core/operations/jobs/jobs.ts';
import type { CatalogEntry } from '../../../../src/core/catalog/catalog-entry.ts';
import { measure } from '../../../../src/engine/host/measure.ts';
import { hubEntry } from '../../support/entries.ts';
import { NEVER } from '../../support/never.ts';
import { scriptedEngine } from '../../support/fakes/scripted-engine.ts';

const base = hubEntry('m');
const VOICE = { id: 'v', name: 'V', languages: ['en-US'] };

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'Date'], now: 1_000 }));
afterEach(() => void vi.useRealTimers());

/** An engine for which each job takes 5 milliseconds, and each answer 5 more. */
function record(jobs: Job[]) {
  return scriptedEngine(async function* (job) {
    jobs.push(job);
    vi.advanceTimersByTime(5);
    if (job.op === 'tokens') {
      const of = job.of.kind === 'raw' ? job.of.text : '';
      const ids = Array.from({ length: of.length / 2 }, (_, index) => index);
      yield { type: 'tokens', ids, text: of, contextLength: 512 };
    }
    if (job.op === 'generate') {
      yield { type: 'start', prompt: { promptTokens: 100, cachedTokens: 20 } };
      vi.advanceTimersByTime(5);
      yield {
        type: 'finish',
        reason: 'length',
        usage: { promptTokens: 100, completionTokens: 64, cachedTokens: 20 },
      };
    }
    if (job.op === 'embed') {
      yield { type: 'vectors', places: [0], values: new Float32Array(2), tokens: 100 };
      yield { type: 'embedded' };
    }
    if (job.op === 'speak') yield { type: 'spoken', seconds: 4, header: new Uint8Array(0) };
  });
}

async function measured(entry: CatalogEntry) {
  const jobs: Job[] = [];
  const measurement = await measure(entry, record(jobs), NEVER);
  return { jobs, measurement };
}

test('a model that writes is measured by a prompt of at most half its context, after a first answer', async () => {
  const { jobs, measurement } = await measured(base);
  expect(jobs.map(({ op }) => op)).toEqual(['generate', 'tokens', 'generate']);
  const [, counted, timed] = jobs;
  const texts = [counted?.op === 'tokens' && counted.of, timed?.op === 'generate' && timed.prompt];
  const [whole = 0, asked = 0] = texts.map((each) =>
    each && each.kind === 'raw' ? each.text.length : 0,
  );
  expect(asked / 2).toBeLessThanOrEqual(256);
  expect(asked).toBeLessThan(whole);
  // The KV cache held 20 of the prompt's 100 tokens. The first written token ends the reading.
  expect(measurement.readTokensPerSecond).toBeCloseTo(80 / 0.005);
  expect(measurement.writtenTokensPerSecond).toBeCloseTo(63 / 0.005);
  expect(measurement.at).toBe(1_000);
});

test('embedders are measured by what they read, and voices by how long they speak', async () => {
  const embedder: CatalogEntry = { ...base, task: 'embedding', embedding: { length: 2 } };
  const { measurement } = await measured(embedder);
  expect(measurement.readTokensPerSecond).toBeCloseTo(100 / 0.005);
  expect(measurement).not.toHaveProperty('writtenTokensPerSecond');
  const voice: CatalogEntry = {
    ...base,
    task: 'speech',
    speech: { family: 'piper', sampleRate: 1, voices: [VOICE] },
  };
  const spoken = await measured(voice);
  expect(spoken.measurement.soundPerSecond).toBeCloseTo(4 / 0.005);
});

test('a model that transcribes cannot be measured without a recording', async () => {
  const hearing: CatalogEntry = {
    ...base,
    task: 'transcription',
    transcription: { languages: ['en'], translates: false, timesWords: false },
  };
  await expect(measured(hearing)).rejects.toThrow('takes a recording');
});

test('a quick measurement reads little, and ends in time with what was written until then', async () => {
  vi.useRealTimers();
  const prompts: number[] = [];
  const engine = scriptedEngine(async function* (job, signal) {
    if (job.op === 'tokens') {
      const text = job.of.kind === 'raw' ? job.of.text : '';
      yield { type: 'tokens', ids: text.split(' ').map(Number), text, contextLength: 512 };
    }
    if (job.op !== 'generate') return;
    prompts.push(job.prompt.kind === 'raw' ? job.prompt.text.split(' ').length : 0);
    // The answer before the measured one.
    if (job.maxTokens === 4) return;
    yield { type: 'start', prompt: { promptTokens: 32, cachedTokens: 0 } };
    yield { type: 'text', text: 'a', tokens: 1 };
    yield { type: 'text', text: 'b', tokens: 2 };
    await new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason)),
    );
  });
  const { writtenTokensPerSecond } = await measure(base, engine, NEVER, 20);
  expect(Math.max(...prompts)).toBeLessThanOrEqual(32);
  expect(writtenTokensPerSecond).toBeGreaterThan(0);
});
