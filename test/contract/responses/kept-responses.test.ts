import type OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { MODEL, openApi, type TestApi } from '../support/api.ts';
import { errorOf, eventsOf, json } from '../support/read.ts';
import { finish, text, toolArguments, toolCall } from '../support/test-engine.ts';

type ResponseBody = OpenAI.Responses.Response & { store: boolean };

const TURN = { model: MODEL, input: 'Hi' };
const NOT_KEPT = /not found: responses are kept in memory only, while the tab .* Send the whole/;

async function respond(api: TestApi, body: object): Promise<ResponseBody> {
  const response = await api.post('/responses', { ...TURN, ...body });
  expect(response.status).toBe(200);
  return json(response);
}

function messages({ engine }: TestApi) {
  const { prompt } = engine.last.job;
  return prompt.kind === 'chat' ? prompt.messages : [];
}

const SAID = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: 'Hello there' },
];

describe('an answer', () => {
  test('can be continued by its id, again and again', async () => {
    const api = await openApi();
    const first = await respond(api, { instructions: 'Be brief.' });
    const second = await respond(api, { input: 'More', previous_response_id: first.id });
    expect(second.previous_response_id).toBe(first.id);
    // Instructions are those of one request.
    const two = [...SAID, { role: 'user', content: 'More' }];
    expect(messages(api)).toEqual(two);
    await respond(api, {
      input: [{ role: 'user', content: 'On' }],
      previous_response_id: second.id,
    });
    const three = [...two, { role: 'assistant', content: 'Hello there' }];
    expect(messages(api)).toEqual([...three, { role: 'user', content: 'On' }]);
  });

  test('can be continued after it was streamed', async () => {
    const api = await openApi();
    const events = await eventsOf<{ type: string; response: ResponseBody }>(
      await api.post('/responses', { ...TURN, stream: true }),
    );
    const previous_response_id = events.at(-1)?.response.id;
    await respond(api, { input: 'More', previous_response_id });
    expect(messages(api)).toEqual([...SAID, { role: 'user', content: 'More' }]);
  });

  test('that calls a tool is continued with the result', async () => {
    const api = await openApi();
    const reasoning = { type: 'reasoning', text: 'Hm.' } as const;
    const call = [toolCall(0, 'f'), toolArguments(0, '{}'), finish('tool_calls')];
    api.engine.next(reasoning, text('Wait.'), ...call);
    const tools = [{ type: 'function', name: 'f' }];
    const { id } = await respond(api, { tools });
    const output = { type: 'function_call_output', call_id: 'call_0', output: 'done' };
    await respond(api, { tools, input: [output], previous_response_id: id });
    expect(messages(api).slice(1)).toEqual([
      {
        role: 'assistant',
        content: 'Wait.',
        reasoning: 'Hm.',
        toolCalls: [{ id: 'call_0', name: 'f', arguments: '{}' }],
      },
      { role: 'tool', content: 'done', name: 'f', toolCallId: 'call_0' },
    ]);
  });

  test('is found by the ids of its items', async () => {
    const api = await openApi();
    const [item] = (await respond(api, {})).output;
    for (const reference of [{ type: 'item_reference', id: item?.id }, { id: item?.id }]) {
      const input = [SAID[0], reference, { role: 'user', content: 'More' }];
      await respond(api, { input });
      expect(messages(api)).toEqual([...SAID, { role: 'user', content: 'More' }]);
    }
  });

  test('can be read again and deleted', async () => {
    const api = await openApi();
    const whole = await respond(api, {});
    expect(await json(await api.fetch(`/responses/${whole.id}`))).toEqual(whole);
    const deleted = await api.fetch(`/responses/${whole.id}`, { method: 'DELETE' });
    expect(await json(deleted)).toEqual({ id: whole.id, object: 'response', deleted: true });
    const gone = await errorOf(await api.fetch(`/responses/${whole.id}`));
    expect(gone).toMatchObject({
      status: 404,
      param: null,
      message: expect.stringMatching(NOT_KEPT),
    });
    expect((await api.fetch(`/responses/${whole.id}`, { method: 'DELETE' })).status).toBe(404);
  });

  test('cannot be streamed again', async () => {
    const api = await openApi();
    const { id } = await respond(api, {});
    expect(await errorOf(await api.fetch(`/responses/${id}?stream=true`))).toMatchObject({
      status: 400,
      code: 'unsupported_value',
      param: 'stream',
    });
  });

  test('lists its input, page by page', async () => {
    const api = await openApi();
    const input = ['one', 'two', 'three'].map((content) => ({ role: 'user', content }));
    const { id } = await respond(api, { input });
    const client = api.client();
    const texts: unknown[] = [];
    for await (const item of client.responses.inputItems.list(id, { limit: 2, order: 'asc' })) {
      texts.push(item.type === 'message' ? item.content : item.type);
    }
    expect(texts).toEqual(
      ['one', 'two', 'three'].map((said) => [{ type: 'input_text', text: said }]),
    );
    const newest = await json(await api.fetch(`/responses/${id}/input_items?limit=1`));
    expect(newest).toMatchObject({
      object: 'list',
      has_more: true,
      data: [{ type: 'message', role: 'user', content: [{ text: 'three' }] }],
    });
    expect(await errorOf(await api.fetch(`/responses/${id}/input_items?limit=no`))).toMatchObject({
      status: 400,
      param: 'limit',
    });
  });
});

describe('what is not kept', () => {
  test('is an answer that was not to be stored', async () => {
    const api = await openApi();
    const { id, store, output } = await respond(api, { store: false });
    expect(store).toBe(false);
    expect((await api.fetch(`/responses/${id}`)).status).toBe(404);
    const input = [{ type: 'item_reference', id: output[0]?.id }];
    expect(await errorOf(await api.post('/responses', { ...TURN, input }))).toMatchObject({
      status: 404,
      code: null,
      param: 'input',
      message: expect.stringMatching(NOT_KEPT),
    });
  });

  test('is another key’s', async () => {
    const api = await openApi();
    const { id, output } = await respond(api, {});
    const other = `sk-slashv1-${'x'.repeat(43)}`;
    await api.keys.add(other, { label: 'other' });
    const headers = { authorization: `Bearer ${other}` };
    expect((await api.fetch(`/responses/${id}`, { headers })).status).toBe(404);
    expect((await api.fetch(`/responses/${id}`, { headers, method: 'DELETE' })).status).toBe(404);
    const input = [{ type: 'item_reference', id: output[0]?.id }];
    const init = { headers };
    expect((await api.post('/responses', { ...TURN, input }, init)).status).toBe(404);
    expect((await api.fetch(`/responses/${id}`)).status).toBe(200);
  });

  test('cannot be continued', async () => {
    const api = await openApi();
    const body = { ...TURN, previous_response_id: 'resp_1' };
    expect(await errorOf(await api.post('/responses', body))).toMatchObject({
      status: 400,
      code: 'previous_response_not_found',
      param: 'previous_response_id',
      message: expect.stringMatching(NOT_KEPT),
    });
    expect(api.engine.runs).toEqual([]);
  });

  test('is an answer that failed', async () => {
    const api = await openApi();
    api.engine.next(text('Hel'), new Error('It broke.'));
    const stream = await api.post('/responses', { ...TURN, stream: true });
    const [created] = await eventsOf<{ type: string; response: ResponseBody }>(stream);
    expect((await api.fetch(`/responses/${created?.response.id}`)).status).toBe(404);
  });

  test('is one that is too large, and the answer says so', async () => {
    const api = await openApi();
    const { id, store } = await respond(api, { input: 'long '.repeat(3_400_000) });
    expect(store).toBe(false);
    expect((await api.fetch(`/responses/${id}`)).status).toBe(404);
  });
});

test.each(['/responses/resp_1/cancel', '/responses/compact'])('POST %s is 404', async (path) => {
  const api = await openApi();
  expect((await api.post(path, {})).status).toBe(404);
});
