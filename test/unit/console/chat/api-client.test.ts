import { expect, test } from 'vitest';
import {
  requestBody,
  streamAnswer,
  type AnswerEvent,
} from '../../../../src/console/chat/answer/api-client.ts';
import type { ApiAccess } from '../../../../src/console/chat/answer/api-request.ts';
import {
  apiErrorMessage,
  describeFailure,
} from '../../../../src/console/chat/answer/api-failure.ts';

const QUESTION = {
  model: 'm',
  messages: [{ role: 'user' as const, content: 'Hi' }],
  settings: { system: '', schema: '' },
  sampling: { temperature: 0, frequency_penalty: 0.1 },
  again: false,
  isPlain: false,
};
const NO_SIGNAL = new AbortController().signal;

function clientFor(answer: (init?: RequestInit) => Response | Promise<Response>): ApiAccess {
  return { baseURL: 'http://a/v1', apiKey: 'k', fetch: async (_url, init) => answer(init) };
}

function sse(...chunks: object[]): Response {
  const events = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'];
  const body = events.map((event) => `data: ${event}\n\n`).join('');
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

function delta(content: object, finish_reason: string | null = null): object {
  return { choices: [{ index: 0, delta: content, finish_reason }] };
}

async function collect(events: AsyncIterable<AnswerEvent>): Promise<AnswerEvent[]> {
  const collected: AnswerEvent[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}

async function failureOf(client: ApiAccess, signal = NO_SIGNAL): Promise<unknown> {
  try {
    await collect(streamAnswer(client, QUESTION, signal));
  } catch (error) {
    return error;
  }
  throw new Error('The request did not fail.');
}

test('a model samples as its list or its files say, and a repeated question never gets the likeliest answer', async () => {
  const bodies: { temperature?: number; model: string; again?: boolean }[] = [];
  const client = clientFor(async (init) => {
    bodies.push(await new Response(init?.body).json());
    return sse(delta({}, 'stop'));
  });
  await collect(streamAnswer(client, QUESTION, NO_SIGNAL));
  await collect(streamAnswer(client, { ...QUESTION, again: true }, NO_SIGNAL));
  const sampling = { temperature: 0.2, top_p: 0.9 };
  await collect(streamAnswer(client, { ...QUESTION, sampling, again: true }, NO_SIGNAL));
  await collect(streamAnswer(client, { ...QUESTION, sampling: {} }, NO_SIGNAL));
  expect(bodies.map(({ temperature }) => temperature)).toEqual([0, 0.7, 0.2, undefined]);
  expect(bodies[2]).toMatchObject(sampling);
  expect(bodies[1]).toMatchObject({ model: 'm' });
  expect(bodies[1]).not.toHaveProperty('again');
  expect(bodies[1]).not.toHaveProperty('settings');
});

test('settings become fields of the request', () => {
  const settings = { system: '', schema: '{"type":"object"}', temperature: 1.5, topP: 0.5 };
  const more = { ...settings, maxTokens: 9, seed: 0, thinking: false as const };
  expect(requestBody({ ...QUESTION, settings: more })).toMatchObject({
    temperature: 1.5,
    top_p: 0.5,
    max_completion_tokens: 9,
    seed: 0,
    reasoning_effort: 'none',
    response_format: { json_schema: { schema: { type: 'object' } } },
  });
  const plain = requestBody(QUESTION);
  for (const name of ['top_p', 'seed', 'response_format', 'reasoning_effort']) {
    expect(plain).not.toHaveProperty(name);
  }
});

test('the model of the browser is asked with nothing that it would refuse', () => {
  const body = requestBody({ ...QUESTION, isPlain: true });
  expect(Object.keys(body).toSorted()).toEqual(['messages', 'model', 'stream_options']);
});

test('how much of the prompt has been read is told', async () => {
  const progress = { choices: [], prompt_progress: { total: 8, processed: 2, cache: 0 } };
  const events = await collect(
    streamAnswer(
      clientFor(() => sse(progress)),
      QUESTION,
      NO_SIGNAL,
    ),
  );
  expect(events).toEqual([{ type: 'reading', fraction: 0.25 }]);
});

test('how many requests are before a waiting one is told', async () => {
  const client = clientFor(() => sse({ choices: [], queue: { before: 2 } }));
  const events = await collect(streamAnswer(client, QUESTION, NO_SIGNAL));
  expect(events).toEqual([{ type: 'queued', before: 2 }]);
});

test('an answer that another server makes says so first', async () => {
  const made = (by: string) =>
    clientFor(() => {
      const { body } = sse(delta({ content: 'Hi' }));
      return new Response(body, { headers: { 'x-slashv1-served-by': by } });
    });
  const text = { type: 'text', text: 'Hi' };
  expect(await collect(streamAnswer(made('upstream; name=cluster'), QUESTION, NO_SIGNAL))).toEqual([
    { type: 'served', by: 'cluster' },
    text,
  ]);
  expect(await collect(streamAnswer(made('device'), QUESTION, NO_SIGNAL))).toEqual([text]);
});

test('an answer arrives as reasoning, text, finish and usage', async () => {
  const usage = {
    prompt_tokens: 5,
    completion_tokens: 2,
    prompt_tokens_details: { cached_tokens: 3 },
  };
  const client = clientFor(() =>
    sse(
      delta({ role: 'assistant', content: '' }),
      delta({ reasoning: 'Hm', reasoning_content: 'Hm' }),
      delta({ content: 'Hel' }),
      delta({ content: 'lo' }),
      delta({}, 'stop'),
      { choices: [], usage },
    ),
  );
  const events = await collect(streamAnswer(client, QUESTION, NO_SIGNAL));
  expect(events).toEqual([
    { type: 'reasoning', text: 'Hm' },
    { type: 'text', text: 'Hel' },
    { type: 'text', text: 'lo' },
    { type: 'finish', reason: 'stop' },
    { type: 'usage', usage: { promptTokens: 5, completionTokens: 2, cachedTokens: 3 } },
  ]);
});

test('an error of the API keeps its message and code, and a known code has a hint', async () => {
  const error = { message: 'Unknown model.', type: 'x', param: 'model', code: 'model_not_found' };
  const failure = describeFailure(
    await failureOf(clientFor(() => Response.json({ error }, { status: 404 }))),
  );
  expect(failure).toMatchObject({ message: 'Unknown model.', code: 'model_not_found' });
  expect(failure.hint).not.toBe('');
});

test('an error without a code shows its status', async () => {
  const error = { message: 'Bad field.', type: 'x', param: null, code: null };
  const failure = describeFailure(
    await failureOf(clientFor(() => Response.json({ error }, { status: 400 }))),
  );
  expect(failure).toEqual({ message: 'Bad field.', code: '400', hint: '' });
});

test('an error in the middle of a stream is thrown', async () => {
  const error = {
    message: 'Device lost.',
    type: 'server_error',
    param: null,
    code: 'engine_error',
  };
  const client = clientFor(() => sse(delta({ content: 'Hel' }), { error }));
  const failure = describeFailure(await failureOf(client));
  expect(failure).toMatchObject({ message: 'Device lost.', code: 'engine_error' });
});

test('a stream that ends without its end has broken off', async () => {
  const cut = () => new Response('data: {"choices":[]}\n\n');
  const failure = describeFailure(await failureOf(clientFor(cut)));
  expect(failure.message).toBe('The answer broke off.');
});

test('the hint for a failed fetch names the service worker', async () => {
  const client = clientFor(() => Promise.reject(new TypeError('Failed to fetch')));
  expect(describeFailure(await failureOf(client)).hint).toContain('service worker');
});

test('the hint for an answer from a plain web server names the service worker too', async () => {
  const client = clientFor(() => new Response('<h1>404</h1>', { status: 404 }));
  expect(describeFailure(await failureOf(client))).toMatchObject({
    code: '404',
    hint: expect.stringContaining('service worker'),
  });
});

test('only the message of an error object is read from a body', () => {
  expect(apiErrorMessage({ error: { message: 'Unknown voice.' } })).toBe('Unknown voice.');
  for (const body of [undefined, null, 'x', {}, { error: null }, { error: { message: 1 } }]) {
    expect(apiErrorMessage(body)).toBe('');
  }
});

test('an abort in the middle of a stream throws, so that the answer does not look complete', async () => {
  const stopping = new AbortController();
  const client = clientFor(() => sse(delta({ content: 'Hel' }), delta({ content: 'lo' })));
  const events = streamAnswer(client, QUESTION, stopping.signal);
  await events.next();
  stopping.abort();
  await expect(collect(events)).rejects.toThrow();
});
