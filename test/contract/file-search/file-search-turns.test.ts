import type OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { MODEL } from '../support/api.ts';
import { errorOf, json } from '../support/read.ts';
import { finish, text } from '../support/test-engine.ts';
import { CITING, messagesOf, NOW, shop } from './file-search-api.ts';
import { storing } from '../files/vector-store-api.ts';

type Response = OpenAI.Responses.Response;

describe('the next turn', () => {
  test('goes on from the answer with previous_response_id', async () => {
    const given = await shop();
    given.api.engine.next(...CITING);
    const include = ['file_search_call.results'];
    const first = await json<Response>(await given.ask({ include }));
    given.api.engine.next(text('At nine [1], and [2].'), finish());
    const second = await json<Response>(
      await given.ask({ input: 'opens at nine', previous_response_id: first.id, include }),
    );
    const roles = ['user', 'assistant', 'tool', 'assistant', 'user', 'assistant', 'tool'];
    expect(messagesOf(given).map(({ role }) => role)).toEqual(roles);
    expect(messagesOf(given)[6]?.content).toContain('[2] b.txt');
    expect(second.output[1]).toMatchObject({
      content: [{ annotations: [{ file_id: given.refunds }, { file_id: given.hours }] }],
    });
  });

  test('takes items and references, with and without results', async () => {
    const given = await shop();
    const first = await json<Response>(await given.ask());
    const [call, message] = first.output;
    const turn = { role: 'user', content: 'And after?' };
    const before = { role: 'user', content: 'When?' };
    await given.ask({ input: [before, call, message, turn], tools: [] });
    expect(messagesOf(given).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    const references = first.output.map(({ id }) => ({ type: 'item_reference', id }));
    await given.ask({ input: [before, ...references, turn], tools: [] });
    expect(messagesOf(given).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    const results = [{ file_id: 'file-x', filename: 'x.txt', score: 1, text: 'X', attributes: {} }];
    given.api.engine.next(text('X [1]'), finish());
    const input = [before, { ...call, results }, message, turn];
    const { output } = await json<Response>(await given.ask({ input, tools: [] }));
    expect(messagesOf(given)[2]?.content).toContain('[1] x.txt\nX');
    expect(output[0]).toMatchObject({
      content: [{ text: 'X', annotations: [{ file_id: 'file-x', index: 1 }] }],
    });
    const items = await given.client.responses.inputItems.list(
      (await json<Response>(await given.ask({ input }))).id,
      { order: 'asc' },
    );
    expect(items.data[1]).toMatchObject({ type: 'file_search_call', status: 'completed', results });
  });

  test('is in a conversation', async () => {
    const given = await shop();
    const { id: conversation } = await given.client.conversations.create();
    await json(await given.ask({ conversation }));
    const { data } = await given.client.conversations.items.list(conversation, { order: 'asc' });
    expect(data.map(({ type }) => type)).toEqual(['message', 'file_search_call', 'message']);
    await json(await given.ask({ conversation, input: 'More refunds' }));
    const roles = messagesOf(given).map(({ role }) => role);
    expect(roles).toEqual(['user', 'assistant', 'user', 'assistant', 'tool']);
  });
});

describe('a bad request', () => {
  const IDS = { vector_store_ids: ['vs_x'] };
  test.each<[object, object, string]>([
    [{}, { vector_store_ids: undefined }, 'tools[0].vector_store_ids'],
    [{}, { vector_store_ids: [] }, 'tools[0].vector_store_ids'],
    [
      {},
      { vector_store_ids: Array.from({ length: 9 }, () => 'vs_x') },
      'tools[0].vector_store_ids',
    ],
    [{}, { vector_store_ids: [7] }, 'tools[0].vector_store_ids[0]'],
    [{}, { max_num_results: 51 }, 'tools[0].max_num_results'],
    [{}, { max_num_results: 0 }, 'tools[0].max_num_results'],
    [{}, { ranking_options: { ranker: 'best' } }, 'tools[0].ranking_options.ranker'],
    [{}, { ranking_options: { score_threshold: 2 } }, 'tools[0].ranking_options.score_threshold'],
    [
      {},
      { ranking_options: { hybrid_search: { embedding_weight: 0, text_weight: 0 } } },
      'tools[0].ranking_options.hybrid_search',
    ],
    [{}, { filters: { type: 'like', key: 'a', value: 'b' } }, 'tools[0].filters.type'],
    [
      {},
      { filters: { type: 'and', filters: [{ type: 'x' }] } },
      'tools[0].filters.filters[0].type',
    ],
    [{ tool_choice: { type: 'file_search', name: 'x' } }, {}, 'tool_choice.name'],
    [{ input: [{ role: 'assistant', content: 'Hi' }] }, {}, 'input'],
    [{ input: [{ type: 'file_search_call', results: 'x' }] }, {}, 'input[0].results'],
    [{ input: [{ type: 'file_search_call', queries: 'x' }] }, {}, 'input[0].queries'],
  ])('%j with %j is refused', async (body, tool, param) => {
    const given = await shop();
    const tools = [{ ...given.search, ...tool }];
    const error = await errorOf(await given.ask({ tools, ...body }));
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', param });
    expect(given.api.engine.runs).toEqual([]);
  });

  test('with two of these tools, or with a choice that is not there, is refused', async () => {
    const given = await shop();
    const two = await given.ask({ tools: [given.search, given.search] });
    expect(await errorOf(two)).toMatchObject({ status: 400, param: 'tools[1]' });
    const none = await given.ask({ tools: [NOW], tool_choice: { type: 'file_search' } });
    expect(await errorOf(none)).toMatchObject({ status: 400, param: 'tool_choice' });
    const named = await given.ask({ tools: [{ ...NOW, name: 'file_search' }, given.search] });
    expect(await errorOf(named)).toMatchObject({ status: 400, param: 'tools[1].name' });
  });

  test.each([false, true])('about an unknown store is a 404, streamed: %s', async (stream) => {
    const given = await shop();
    const tools = [NOW, { type: 'file_search', vector_store_ids: [given.id, 'vs_x'] }];
    expect(await errorOf(await given.ask({ tools, stream }))).toMatchObject({
      status: 404,
      param: 'tools[1].vector_store_ids[1]',
    });
  });

  test('about an expired store is refused', async () => {
    const given = await shop();
    const expires_after = { anchor: 'last_active_at', days: 1 } as const;
    const { id } = await given.client.vectorStores.create({ expires_after });
    given.api.engine.files.later = -3 * 86_400_000;
    await given.client.vectorStores.update(id, { name: 'old' });
    given.api.engine.files.later = 0;
    const tools = [{ type: 'file_search', vector_store_ids: [id] }];
    expect(await errorOf(await given.ask({ tools }))).toMatchObject({
      status: 400,
      code: 'vector_store_expired',
      param: 'tools[0].vector_store_ids[0]',
    });
  });

  test('on a site that stores no files is refused', async () => {
    const { api } = await storing();
    const tools = [NOW, { type: 'file_search', ...IDS }];
    const response = await api.post('/responses', { model: MODEL, input: 'Hi', tools });
    expect(await errorOf(response)).toMatchObject({
      status: 400,
      code: 'unsupported_value',
      param: 'tools[1].type',
    });
  });
});
