import type OpenAI from 'openai';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sendJson } from '../../support/servers/upstream-server.ts';
import { MODEL } from '../support/api.ts';
import { BIG, openForwardingApi, type ForwardingApi } from './forwarding-api.ts';

let site: ForwardingApi;

beforeEach(async () => {
  site = await openForwardingApi();
  site.cluster.answer = (response, { method, path }) => {
    const [, id] = /\/responses\/(\w+)/.exec(path) ?? [];
    if (id === undefined) return sendJson(response, { id: 'resp_theirs', output: [] });
    if (method === 'DELETE') return sendJson(response, { id, deleted: true });
    sendJson(response, { id, object: 'response', output: [], status: 'completed' });
  };
});

afterEach(() => site.cluster.close());

/** What the cluster was asked: `GET /v1/responses/resp_theirs`. */
const asked = () => site.forwarded().map(({ method, path }) => `${method} ${path}`);

const ask = (openai: OpenAI, given: { model: string; previous?: string }) =>
  openai.responses.create({
    model: given.model,
    input: 'Hi',
    ...(given.previous !== undefined && { previous_response_id: given.previous }),
  });

test('what is asked about a response goes to the upstream that made it', async () => {
  const openai = await site.client();
  const { id } = await ask(openai, { model: BIG });
  expect(await openai.responses.retrieve(id)).toMatchObject({ id, status: 'completed' });
  const { data, response } = await openai.responses.inputItems
    .list(id, { limit: 5 })
    .withResponse();
  expect(data).toBeDefined();
  expect(response.headers.get('x-slashv1-served-by')).toBe('upstream; name=cluster');
  await openai.responses.delete(id);
  expect(asked()).toEqual([
    'POST /v1/responses',
    `GET /v1/responses/${id}`,
    `GET /v1/responses/${id}/input_items?limit=5`,
    `DELETE /v1/responses/${id}`,
  ]);
  await expect(openai.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
  expect(asked()).toHaveLength(4);
});

test('a streamed response is remembered from its first event on', async () => {
  const openai = await site.client();
  const events = [
    { type: 'response.created', response: { id: 'resp_streamed', output: [] } },
    { type: 'response.completed', response: { id: 'resp_streamed', output: [] } },
  ];
  site.cluster.answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) {
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    }
    response.end();
  };
  const stream = await openai.responses.create({ model: BIG, input: 'Hi', stream: true });
  for await (const event of stream) {
    if (event.type !== 'response.created') continue;
    site.cluster.answer = (response) => sendJson(response, { id: 'resp_streamed' });
    await openai.responses.retrieve(event.response.id);
  }
  expect(asked()).toEqual(['POST /v1/responses', 'GET /v1/responses/resp_streamed']);
});

test('another key, and a key that stays here, know nothing of it', async () => {
  const openai = await site.client();
  const { id } = await ask(openai, { model: BIG });
  const other = await site.client();
  await expect(other.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
  const closed = await site.routing({}, { staysHere: true });
  await expect(closed.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
  expect(asked()).toHaveLength(1);
});

test('a response is continued where it was made', async () => {
  const openai = await site.routing({ assistant: [`device:${MODEL}`, `cluster:${BIG}`] });
  const theirs = await ask(openai, { model: BIG });
  const ours = await ask(openai, { model: 'assistant' });
  await ask(openai, { model: 'assistant', previous: theirs.id });
  expect(asked()).toHaveLength(2);
  await vi.waitFor(() => expect(site.api.engine.runs).toHaveLength(1));
  await ask(openai, { model: 'assistant', previous: ours.id });
  expect(site.api.engine.runs).toHaveLength(2);
  const code = 'previous_response_not_found';
  await expect(ask(openai, { model: MODEL, previous: theirs.id })).rejects.toMatchObject({
    status: 400,
    code,
    message: expect.stringContaining("by the upstream 'cluster'"),
  });
  await expect(ask(openai, { model: BIG, previous: ours.id })).rejects.toMatchObject({
    status: 400,
    code,
    message: expect.stringContaining('on this device'),
  });
  await expect(ask(openai, { model: 'assistant', previous: 'resp_lost' })).rejects.toMatchObject({
    status: 400,
    code,
    message: expect.stringContaining('not known where'),
  });
  expect(asked()).toHaveLength(2);
});

test('of a response that is not remembered, the upstream decides, and of what is no id', async () => {
  const openai = await site.client();
  await openai.post('/responses', { body: { model: BIG, previous_response_id: 7 } });
  expect(String(site.forwarded().at(-1)?.body)).toContain(':7');
  await ask(openai, { model: BIG, previous: 'resp_old' });
  expect(JSON.parse(String(site.forwarded().at(-1)?.body))).toMatchObject({
    previous_response_id: 'resp_old',
  });
});
