import { expect, describe, test } from 'vitest';
import { MODEL, openApi, type TestApi } from '../support/api.ts';
import { limited } from '../support/limited-key.ts';
import { errorOf, json } from '../support/read.ts';
import { apiError, finish, HANG, text } from '../support/test-engine.ts';

const USER = { role: 'user' as const, content: 'Hi' };

async function opened(items: object[] = []): Promise<{ api: TestApi; id: string }> {
  const api = await openApi();
  const { id } = await json<{ id: string }>(await api.post('/conversations', { items }));
  return { api, id };
}

const get = (api: TestApi, path: string, key = api.key) =>
  api.fetch(path, { headers: { authorization: `Bearer ${key}` } });

/** The items with their speakers, oldest first. */
async function told(api: TestApi, id: string): Promise<string[]> {
  const path = `/conversations/${id}/items?order=asc&limit=100`;
  const { data } = await json<{ data: { role: string; content: { text: string }[] }[] }>(
    await get(api, path),
  );
  return data.map(({ role, content }) => `${role}: ${content.map((part) => part.text).join('')}`);
}

const answer = (api: TestApi, conversation: unknown, rest: object = {}) =>
  api.post('/responses', { model: MODEL, input: 'more', conversation, ...rest });

describe('/v1/conversations', () => {
  test('the openai package creates, changes, reads and deletes them', async () => {
    const client = (await openApi()).client();
    const made = await client.conversations.create({ items: [USER], metadata: { a: 'b' } });
    expect(made).toEqual({
      id: expect.stringMatching(/^conv_/),
      object: 'conversation',
      created_at: expect.any(Number),
      metadata: { a: 'b' },
    });
    const { id } = made;
    expect(await client.conversations.retrieve(id)).toEqual(made);
    const changed = await client.conversations.update(id, { metadata: { a: 'c' } });
    expect(changed).toEqual({ ...made, metadata: { a: 'c' } });
    const added = await client.conversations.items.create(id, {
      items: [{ role: 'user', content: 'more' }],
    });
    expect(added).toMatchObject({ object: 'list', has_more: false });
    const [item] = added.data;
    expect(item).toMatchObject({
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'more' }],
    });
    const itemId = item && 'id' in item ? item.id : '';
    expect(await client.conversations.items.retrieve(itemId, { conversation_id: id })).toEqual(
      item,
    );
    const ids: unknown[] = [];
    for await (const each of client.conversations.items.list(id, { limit: 1, order: 'asc' })) {
      ids.push('id' in each ? each.id : undefined);
    }
    expect(ids).toEqual([expect.stringMatching(/^msg_/), itemId]);
    expect(await client.conversations.items.delete(itemId, { conversation_id: id })).toEqual(
      changed,
    );
    expect(await client.conversations.delete(id)).toEqual({
      id,
      object: 'conversation.deleted',
      deleted: true,
    });
    await expect(client.conversations.retrieve(id)).rejects.toMatchObject({
      status: 404,
      code: 'conversation_not_found',
    });
  });

  test('a response reads what was said, and adds its input and its answer', async () => {
    const { api, id } = await opened([USER]);
    const body = await json(await answer(api, id));
    expect(body).toMatchObject({ conversation: { id } });
    expect(api.engine.last.job.prompt).toMatchObject({
      messages: [USER, { role: 'user', content: 'more' }],
    });
    expect(await told(api, id)).toEqual(['user: Hi', 'user: more', 'assistant: Hello there']);
    await json(await answer(api, { id }, { input: 'again' }));
    expect(api.engine.last.job.prompt).toMatchObject({
      messages: [
        {},
        {},
        { role: 'assistant', content: 'Hello there' },
        { role: 'user', content: 'again' },
      ],
    });
    expect(await told(api, id)).toHaveLength(5);
  });

  test('a streamed answer is added, too; one that fails or is cut off is not', async () => {
    const { api, id } = await opened();
    await (await answer(api, id, { stream: true })).text();
    expect(await told(api, id)).toHaveLength(2);
    api.engine.next(apiError(500, 'server_error', 'engine_error'));
    expect((await answer(api, id)).status).toBe(500);
    api.engine.next(text('a'), HANG);
    await (await answer(api, id, { stream: true })).body?.cancel();
    expect(await told(api, id)).toHaveLength(2);
    // The conversation goes on.
    await json(await answer(api, id));
    expect(await told(api, id)).toHaveLength(4);
  });

  test('of two requests at once, the second waits for the first', async () => {
    const { api, id } = await opened();
    const held = Promise.withResolvers<void>();
    api.engine.next(text('first'), held.promise, finish());
    api.engine.next(text('second'), finish());
    const first = answer(api, id, { input: '1' }).then((response) => response.text());
    await expect.poll(() => api.engine.runs.length).toBe(1);
    const second = answer(api, id, { input: '2' }).then((response) => response.text());
    const adding = api.post(`/conversations/${id}/items`, {
      items: [{ role: 'user', content: '3' }],
    });
    // A request about another conversation is answered meanwhile.
    api.engine.next();
    const other = await api.post('/conversations', {});
    expect(other.status).toBe(200);
    expect(api.engine.runs).toHaveLength(1);
    held.resolve();
    await Promise.all([first, second, adding]);
    expect(await told(api, id)).toEqual([
      ...['user: 1', 'assistant: first', 'user: 2', 'assistant: second', 'user: 3'],
    ]);
  });

  test('one that becomes too large stays as it was', async () => {
    const { api, id } = await opened([USER]);
    const items = [{ role: 'user', content: 'x'.repeat(17_000_000) }];
    const error = await errorOf(await api.post(`/conversations/${id}/items`, { items }));
    expect(error).toMatchObject({ status: 400, param: 'items' });
    expect(await told(api, id)).toEqual(['user: Hi']);
  });

  test('belong to their key', async () => {
    const { api, id } = await opened();
    const { key } = await limited(api, {});
    const response = await get(api, `/conversations/${id}`, key);
    expect(await errorOf(response)).toMatchObject({ status: 404, code: 'conversation_not_found' });
  });

  test.each([
    ['/conversations', { items: Array.from({ length: 21 }, () => USER) }, 'items', null],
    ['/conversations', { items: [{ content: 'Hi' }] }, 'items[0].role', null],
    [
      '/conversations',
      { items: [{ type: 'web_search_call', id: 'x' }] },
      'items[0].type',
      'unsupported_value',
    ],
    ['/conversations', { items: [{ type: 'mcp_call', id: 'x' }] }, 'items[0].server_label', null],
    [
      '/conversations/ID/items',
      { items: [{ type: 'mcp_approval_response', approve: true }] },
      'items[0].approval_request_id',
      null,
    ],
    ['/conversations', { metadata: { a: 1 } }, 'metadata', null],
    ['/conversations/ID', {}, 'metadata', null],
    ['/conversations/ID/items', {}, 'items', null],
    [
      '/conversations/ID/items',
      { items: [{ type: 'function_call_output', output: 'x' }] },
      'items[0].call_id',
      null,
    ],
    ['/responses', { model: MODEL, input: 'a', conversation: 7 }, 'conversation', null],
    [
      '/responses',
      { model: MODEL, input: 'a', conversation: 'ID', previous_response_id: 'resp_1' },
      'conversation',
      null,
    ],
  ])('%s refuses %j', async (path, body, param, code) => {
    const { api, id } = await opened();
    const named = JSON.parse(JSON.stringify(body).replace('"ID"', JSON.stringify(id))) as object;
    const error = await errorOf(await api.post(path.replace('ID', id), named));
    expect(error).toMatchObject({ status: 400, param, code });
  });

  test('what is not there is a 404', async () => {
    const { api, id } = await opened();
    const error = await errorOf(await answer(api, 'conv_0'));
    expect(error).toMatchObject({
      status: 404,
      code: 'conversation_not_found',
      param: 'conversation',
    });
    expect(error.message).toContain('in memory');
    expect((await get(api, `/conversations/${id}/items/msg_0`)).status).toBe(404);
    expect((await api.post('/conversations/conv_0/items', { items: [USER] })).status).toBe(404);
  });
});
