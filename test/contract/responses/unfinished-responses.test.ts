import type { Response } from 'openai/resources/responses/responses';
import { expect, test, vi } from 'vitest';
import { createKey } from '../../../src/core/keys/key-format.ts';
import type { Client } from '../../../sw/context.ts';
import { browserFetch } from '../support/browser-fetch.ts';
import { MODEL, openApi, ORIGIN } from '../support/api.ts';
import { forbidNetwork } from '../support/forbid-network.ts';
import { errorOf } from '../support/read.ts';
import { finish, text, type Step } from '../support/test-engine.ts';
import { GRACE_MS } from '../../../sw/road/running-job.ts';

forbidNetwork();

const ASKED = { model: MODEL, input: 'Hello' };

/** After "Hello there", the answer waits for this. */
type End = (goesOn: Promise<void>) => Step[];

const WHOLE: End = (goesOn) => [goesOn, text('.'), finish()];

/**
 * An API, and a page that can go: its requests are cancelled then.
 *
 * @param outlives - whether the engine outlives its pages
 */
async function setUp({ outlives = true, end = WHOLE, graceMs = GRACE_MS } = {}) {
  const api = await openApi({ graceMs });
  await api.device.put({ outlives });
  const gone = new AbortController();
  const stays = { now: 0, ever: 0 };
  const page: Client = {
    hasGone: async () => gone.signal.aborted,
    stay() {
      stays.now++;
      stays.ever++;
      return () => void stays.now--;
    },
  };
  const fetch = browserFetch((request) => api.app(request, page));
  const client = api.client({ fetch, maxRetries: 0 });
  const going = Promise.withResolvers<void>();
  api.engine.next(text('Hello'), text(' there'), ...end(going.promise));
  return { api, client, goOn: going.resolve, gone, stays, fetch };
}

/** The text of the only item of a response. */
function textOf({ output: [item] }: Response): unknown {
  return (
    item?.type === 'message' && item.content.map((part) => 'text' in part && part.text).join('')
  );
}

type SetUp = Awaited<ReturnType<typeof setUp>>;

/** Asks, reads until the answer waits, and goes. @returns the id of the response, and the last event's number */
async function askAndGo({ client, gone }: SetUp, body: object = {}) {
  const leaving = new AbortController();
  const stream = await client.responses.create(
    { ...ASKED, ...body, stream: true },
    { signal: leaving.signal },
  );
  let id = '';
  for await (const event of stream) {
    if (event.type === 'response.created') ({ id } = event.response);
    if (event.type !== 'response.output_text.delta' || event.delta !== ' there') continue;
    gone.abort();
    leaving.abort();
    return { id, last: event.sequence_number };
  }
  throw new Error('The answer ended too early.');
}

test('an answer goes on when its page has gone, and another page can take it up', async () => {
  const page = await setUp();
  const { id, last } = await askAndGo(page);
  await vi.waitFor(() => expect(page.stays.now).toBe(1));
  const next = page.api.client();
  expect(await next.responses.retrieve(id)).toMatchObject({ id, status: 'in_progress' });
  const rest = await next.responses.retrieve(id, { stream: true, starting_after: last });
  page.goOn();
  const types: string[] = [];
  const numbers: number[] = [];
  for await (const event of rest) {
    types.push(event.type);
    numbers.push(event.sequence_number);
    if (event.type === 'response.completed') expect(textOf(event.response)).toBe('Hello there.');
  }
  expect(types).toEqual([
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ]);
  expect(numbers).toEqual(types.map((_, index) => last + 1 + index));
  expect(await next.responses.retrieve(id)).toMatchObject({
    status: 'completed',
    output_text: 'Hello there.',
  });
  expect(page.stays).toEqual({ now: 0, ever: 1 });
});

test('all events of an answer that is being written can be had once more', async () => {
  const page = await setUp();
  const { id } = await askAndGo(page);
  const all = await page.api.client().responses.retrieve(id, { stream: true });
  page.goOn();
  const types: string[] = [];
  for await (const { type } of all) types.push(type);
  expect(types.slice(0, 2)).toEqual(['response.created', 'response.in_progress']);
  expect(types.at(-1)).toBe('response.completed');
});

test('the events of an answer that has ended can be had for five minutes, by whoever comes late', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const page = await setUp();
    const { id, last } = await askAndGo(page);
    await vi.waitFor(() => expect(page.stays.now).toBe(1));
    page.goOn();
    await vi.waitFor(() => expect(page.stays.now).toBe(0));
    const next = page.api.client({ maxRetries: 0 });
    const rest = await next.responses.retrieve(id, { stream: true, starting_after: last });
    const types: string[] = [];
    for await (const { type } of rest) types.push(type);
    expect(types[0]).toBe('response.output_text.delta');
    expect(types.at(-1)).toBe('response.completed');
    expect(await next.responses.retrieve(id)).toMatchObject({ status: 'completed' });

    vi.setSystemTime(Date.now() + 300_001);
    const late = await page.api.fetch(`/responses/${id}?stream=true`);
    expect(late.status).toBe(400);
    expect(await errorOf(late)).toMatchObject({ param: 'stream' });
    expect(await next.responses.retrieve(id)).toMatchObject({ status: 'completed' });
  } finally {
    vi.useRealTimers();
  }
});

test('the events of an answer that has ended are deleted with it', async () => {
  const page = await setUp();
  const { id } = await askAndGo(page);
  await vi.waitFor(() => expect(page.stays.now).toBe(1));
  page.goOn();
  await vi.waitFor(() => expect(page.stays.now).toBe(0));
  await page.api.client().responses.delete(id);
  expect((await page.api.fetch(`/responses/${id}?stream=true`)).status).toBe(404);
});

test('an answer that is not streamed goes on, too', async () => {
  const { api, goOn, gone, stays, fetch } = await setUp({ graceMs: { stream: 1, json: 1 } });
  const headers = { authorization: `Bearer ${api.key}` };
  const body = JSON.stringify(ASKED);
  const asked = await fetch(`${ORIGIN}/v1/responses`, { method: 'POST', headers, body });
  gone.abort();
  await asked.body?.cancel();
  goOn();
  await vi.waitFor(() => expect(api.engine.last.ended).toBe(true));
  expect(api.engine.last.signal.aborted).toBe(false);
  await vi.waitFor(() => expect(stays).toEqual({ now: 0, ever: 1 }));
});

const ENDING: [string, (page: SetUp) => void, object?][] = [
  ['its page is there', ({ gone }) => (gone.abort = () => undefined)],
  ['it is not to be kept', () => undefined, { store: false }],
];

for (const [why, prepare, body] of ENDING) {
  test(`an answer ends when its client hangs up, because ${why}`, async () => {
    const page = await setUp();
    prepare(page);
    const { id } = await askAndGo(page, body);
    await vi.waitFor(() => expect(page.api.engine.last.ended).toBe(true));
    expect(page.stays.ever).toBe(0);
    const { status } = await page.api.fetch(`/responses/${id}`);
    expect(status).toBe(404);
  });
}

test('an answer ends with its page if the engine does not outlive it', async () => {
  const page = await setUp({ outlives: false });
  await askAndGo(page);
  await vi.waitFor(() => expect(page.api.engine.last.ended).toBe(true));
  expect(page.stays.ever).toBe(0);
});

test('an answer that is being written ends when it is deleted', async () => {
  const page = await setUp();
  const { id } = await askAndGo(page);
  await vi.waitFor(() => expect(page.stays.now).toBe(1));
  await page.api.client().responses.delete(id);
  await vi.waitFor(() => expect(page.api.engine.last.ended).toBe(true));
  await vi.waitFor(() => expect(page.stays.now).toBe(0));
  expect((await page.api.fetch(`/responses/${id}`)).status).toBe(404);
});

test('another key cannot take it up, or delete it', async () => {
  const page = await setUp();
  const { id } = await askAndGo(page);
  const other = createKey();
  await page.api.keys.add(other, { label: 'other' });
  const headers = { authorization: `Bearer ${other}` };
  for (const method of ['GET', 'DELETE']) {
    expect((await page.api.fetch(`/responses/${id}`, { method, headers })).status).toBe(404);
  }
  expect(page.api.engine.last.ended).toBe(false);
  page.goOn();
});

test('if it fails after its page has gone, whoever has taken it up gets the error', async () => {
  const page = await setUp({ end: (goesOn) => [goesOn, new Error('broken')] });
  const { id } = await askAndGo(page);
  const rest = await page.api.fetch(`/responses/${id}?stream=true`);
  page.goOn();
  expect(await rest.text()).toMatch(/event: error\ndata: .*broken/);
  expect((await page.api.fetch(`/responses/${id}`)).status).toBe(404);
});

const BAD: [string, string, number][] = [
  ['stream=true&starting_after=-1', 'starting_after', 400],
  ['stream=true&starting_after=one', 'starting_after', 400],
  ['stream=true&starting_after=1.5', 'starting_after', 400],
];

for (const [query, param, status] of BAD) {
  test(`?${query} is refused`, async () => {
    const page = await setUp();
    const { id } = await askAndGo(page);
    const response = await page.api.fetch(`/responses/${id}?${query}`);
    expect(response.status).toBe(status);
    expect(await errorOf(response)).toMatchObject({ param });
    page.goOn();
  });
}
