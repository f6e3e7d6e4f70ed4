import * as fc from 'fast-check';
import OpenAI from 'openai';
import { describe, expect, test, vi } from 'vitest';
import type { GenerateEvent } from '../../../src/core/operations/events/events.ts';
import { serverError } from '../../../src/core/errors/errors.ts';
import { MODEL, ORIGIN } from '../support/api.ts';
import { anyAnswer } from './arbitrary-answers.ts';
import { quickApp } from '../support/quick-app.ts';
import {
  chunksOf,
  dataOf,
  json,
  type ChatBody,
  type Chunk,
  type CompletionBody,
  type ErrorBody,
} from '../support/read.ts';
import { HANG, TestEngine, type Step } from '../support/test-engine.ts';

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
const TIMEOUT_MS = 300_000;
const CHAT = { model: MODEL, messages: [{ role: 'user' as const, content: 'Hi' }] };

const assert = <T extends [unknown, ...unknown[]]>(
  property: fc.IAsyncPropertyWithHooks<T>,
  numRuns: number,
) => fc.assert(property, { seed: SEED, numRuns });

const engine = new TestEngine();
const { app, post } = quickApp(engine);

function ask(steps: Step[], rest: object, path = '/chat/completions'): Promise<Response> {
  engine.next(...steps);
  return post(path, JSON.stringify({ ...CHAT, prompt: 'Hi', ...rest }));
}

/** The engine's events, some of them after a pause. */
const anyPace = fc
  .tuple(anyAnswer, fc.array(fc.constantFrom('at once', 'soon', 'later'), { maxLength: 30 }))
  .map(([events, paces]) =>
    events.flatMap((event, index): Step[] => {
      if (paces[index] === 'soon') return [Promise.resolve(), event];
      if (paces[index] === 'later') return [new Promise((done) => setImmediate(done)), event];
      return [event];
    }),
  );

const withUsage = { stream: true, stream_options: { include_usage: true } };

/** The pieces of a stream joined, in the shape of a whole answer's choice. */
function joined(chunks: Chunk[]) {
  const deltas = chunks.flatMap(({ choices }) => choices);
  const text = (key: 'content' | 'reasoning' | 'reasoning_content') => {
    const texts: { [name in typeof key]?: string | null }[] = deltas.map(({ delta }) => delta);
    return texts.map((delta) => delta[key] ?? '').join('');
  };
  const calls: { id: string; type: string; function: { name: string; arguments: string } }[] = [];
  for (const { delta } of deltas) {
    for (const { index, id = '', type = '', function: fn } of delta.tool_calls ?? []) {
      calls[index] ??= { id, type, function: { name: fn?.name ?? '', arguments: '' } };
      calls[index].function.arguments += fn?.arguments ?? '';
    }
  }
  const logprobs = deltas.flatMap((choice) => choice.logprobs?.content ?? []);
  return {
    content: text('content'),
    reasoning: text('reasoning'),
    reasoning_content: text('reasoning_content'),
    calls,
    logprobs,
    reason: deltas.map(({ finish_reason }) => finish_reason).filter((it) => it !== null),
  };
}

function whole({ choices: [choice] }: ChatBody): ReturnType<typeof joined> {
  if (!choice) throw new Error('There is no choice.');
  const { message } = choice;
  const thought = { reasoning: '', reasoning_content: '', ...message };
  return {
    content: message.content ?? '',
    reasoning: thought.reasoning,
    reasoning_content: thought.reasoning_content,
    calls: (message.tool_calls ?? []).flatMap((call) => (call.type === 'function' ? [call] : [])),
    logprobs: choice.logprobs?.content ?? [],
    reason: [choice.finish_reason],
  };
}

describe('for any answer of the engine, at any pace,', { timeout: TIMEOUT_MS }, () => {
  test('the stream says what the whole answer says', async () => {
    const property = fc.asyncProperty(anyPace, async (steps) => {
      const body = await json<ChatBody>(await ask(steps, {}));
      const chunks = await chunksOf(await ask(steps, withUsage));
      expect(joined(chunks)).toEqual(whole(body));
      expect(chunks.at(-1)).toMatchObject({ choices: [], usage: body.usage });
    });
    await assert(property, 400);
  });

  test('the stream keeps its order', async () => {
    const property = fc.asyncProperty(anyPace, fc.boolean(), async (steps, include_usage) => {
      const data = await dataOf(
        await ask(steps, { stream: true, stream_options: { include_usage } }),
      );
      expect(data.indexOf('[DONE]')).toBe(data.length - 1);
      const chunks: Chunk[] = data.slice(0, -1).map((text) => JSON.parse(text) as Chunk);
      const heads = chunks.map(({ id, created, model, object }) => [id, created, model, object]);
      expect(new Set(heads.map(String)).size).toBe(1);
      expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' });
      const last = include_usage ? chunks.splice(-1) : [];
      expect(last.map(({ choices }) => choices)).toEqual(include_usage ? [[]] : []);
      const reasons = chunks.map(({ choices: [choice] }) => choice?.finish_reason);
      expect(reasons.slice(0, -1).filter((it) => it !== null)).toEqual([]);
      expect(reasons.at(-1)).toMatch(/^(stop|length|tool_calls)$/);
      const kinds = chunks.flatMap(({ choices: [choice] }) => Object.keys(choice?.delta ?? {}));
      // Thinking first, then text, then calls.
      const ranks = kinds.slice(2).map((kind) => ORDER[kind] ?? -1);
      expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
      expect(chunks.every((chunk) => 'usage' in chunk === include_usage)).toBe(true);
    });
    await assert(property, 400);
  });

  test('a streamed text completion says what the whole one says', async () => {
    const property = fc.asyncProperty(anyPace, async (steps) => {
      const body = await json<CompletionBody>(await ask(steps, {}, '/completions'));
      const response = await ask(steps, withUsage, '/completions');
      const chunks = await chunksOf<CompletionBody>(response);
      const choices = chunks.flatMap((chunk) => chunk.choices);
      expect(choices.map(({ text }) => text).join('')).toBe(body.choices[0]?.text);
      expect(choices.filter(({ finish_reason }) => finish_reason !== null)).toHaveLength(1);
      expect(choices.at(-1)?.finish_reason).toBe(body.choices[0]?.finish_reason);
      expect(chunks.at(-1)).toMatchObject({ choices: [], usage: body.usage });
    });
    await assert(property, 200);
  });

  test('the openai package reads the same wherever the bytes are cut', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 20 });
    const property = fc.asyncProperty(anyPace, sizes, async (steps, cuts) => {
      const expected = joined(await chunksOf(await ask(steps, withUsage)));
      engine.next(...steps);
      const client = new OpenAI({
        baseURL: `${ORIGIN}/v1`,
        apiKey: 'any',
        maxRetries: 0,
        fetch: async (url, init) => recut(await app(new Request(url, init)), cuts),
      });
      const stream = await client.chat.completions.create({ ...CHAT, stream: true });
      expect(joined(await Array.fromAsync(stream))).toEqual(expected);
    });
    await assert(property, 200);
  });
});

const ORDER: Record<string, number> = {
  reasoning: 0,
  reasoning_content: 0,
  content: 1,
  tool_calls: 2,
};

/** Cuts a response's bytes into pieces of these sizes, in rotation. */
function recut(response: Response, sizes: number[]): Response {
  let held = new Uint8Array();
  let next = 0;
  const cutter = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      held = Uint8Array.from([...held, ...bytes]);
      for (let size = sizeAt(next); held.length >= size; size = sizeAt(++next)) {
        controller.enqueue(held.slice(0, size));
        held = held.slice(size);
      }
    },
    flush: (controller) => controller.enqueue(held),
  });
  const sizeAt = (index: number) => sizes[index % sizes.length] ?? 1;
  return new Response(response.body?.pipeThrough(cutter), response);
}

describe('wherever an answer breaks off,', { timeout: TIMEOUT_MS }, () => {
  const failure = serverError('engine_error', 'The GPU is gone.');
  /** The beginning of an answer, with at least its first event and without its last. */
  const anyBeginning = fc
    .tuple(anyAnswer, fc.nat())
    .map(([events, at]): GenerateEvent[] => [
      { type: 'start' },
      ...events.slice(0, at % events.length),
    ]);
  const anyFailure = fc.constantFrom<Step[][]>([failure], [new RangeError('Out of bounds')], []);

  test('a stream ends with the error, and without [DONE]', async () => {
    const property = fc.asyncProperty(anyBeginning, anyFailure, async (events, end) => {
      const data = await dataOf(await ask([...events, ...end], withUsage));
      expect(data).not.toContain('[DONE]');
      const { error } = JSON.parse(data.at(-1) ?? '') as ErrorBody;
      expect(error).toMatchObject({ type: 'server_error', code: 'engine_error', param: null });
      const chunks: Chunk[] = data.slice(0, -1).map((text) => JSON.parse(text) as Chunk);
      expect(joined(chunks).reason).toEqual([]);
    });
    await assert(property, 300);
  });

  test('an answer in one piece has the status of the failure', async () => {
    const property = fc.asyncProperty(anyBeginning, anyFailure, async (events, end) => {
      const response = await ask([...events, ...end], {});
      expect(response.status).toBe(500);
      const { error } = await json<ErrorBody>(response);
      expect(error).toMatchObject({ type: 'server_error', code: 'engine_error', param: null });
    });
    await assert(property, 200);
  });

  test('a failure before the first event has its own status', async () => {
    const property = fc.asyncProperty(anyFailure, fc.boolean(), async (end, stream) => {
      expect((await ask(end, { stream })).status).toBe(500);
    });
    await assert(property, 50);
  });

  test('a client that hangs up aborts the engine, once', async () => {
    const impatient = quickApp(engine, {}, { stream: 2_000, json: 0 });
    const bools = [fc.boolean(), fc.boolean()] as const;
    const property = fc.asyncProperty(anyBeginning, ...bools, async (events, stream, reads) => {
      engine.next(...events, HANG);
      const body = JSON.stringify({ ...CHAT, stream });
      const response = await impatient.post('/chat/completions', body);
      const { signal } = engine.last;
      const aborted = vi.fn();
      signal.addEventListener('abort', aborted);
      const reader = response.body?.getReader();
      // The role is sent before the first event.
      if (stream && reads) await reader?.read();
      await reader?.cancel();
      await reader?.cancel();
      await vi.waitFor(() => expect(engine.last.ended).toBe(true), { interval: 1 });
      expect(aborted).toHaveBeenCalledOnce();
      expect(signal.reason).toMatchObject({ name: 'AbortError' });
    });
    await assert(property, 200);
  });

  test('a client that has the whole answer aborts nothing', async () => {
    const property = fc.asyncProperty(anyPace, fc.boolean(), async (steps, stream) => {
      const response = await ask(steps, { stream });
      const reader = response.body?.getReader();
      while (!(await reader?.read())?.done);
      await reader?.cancel();
      expect(engine.last.signal.aborted).toBe(false);
    });
    await assert(property, 200);
  });
});
