import type OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { EMBEDDER, MODEL, RANKER } from '../support/api.ts';
import { CITING, messagesOf, shop } from './file-search-api.ts';
import { eventsOf, json } from '../support/read.ts';
import { finish, text } from '../support/test-engine.ts';
import { filled, post, REFUNDS, storing } from '../files/vector-store-api.ts';

type Response = OpenAI.Responses.Response;

describe('file_search alone', () => {
  test('searches with the last text of the user, and shows the model what was found', async () => {
    const given = await shop();
    given.api.engine.next(...CITING);
    const response = await given.client.responses.create({
      model: MODEL,
      input: [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hi' },
        { role: 'user', content: 'When are refunds paid?' },
      ],
      tools: [given.search],
      include: ['file_search_call.results'],
    });
    const [call, message] = response.output;
    expect(call).toEqual({
      id: expect.stringMatching(/^fs_/),
      type: 'file_search_call',
      status: 'completed',
      queries: ['When are refunds paid?'],
      results: expect.any(Array),
    });
    expect(call?.type === 'file_search_call' && call.results?.[0]).toEqual({
      file_id: given.refunds,
      filename: 'a.txt',
      score: expect.any(Number),
      text: REFUNDS,
      attributes: {},
    });
    expect(message).toMatchObject({
      type: 'message',
      content: [
        {
          text: 'They take five days.',
          annotations: [
            { type: 'file_citation', file_id: given.refunds, filename: 'a.txt', index: 19 },
          ],
        },
      ],
    });
    expect(response.output_text).toBe('They take five days.');
    const [, , , called, result] = messagesOf(given);
    expect(called).toMatchObject({
      role: 'assistant',
      toolCalls: [{ name: 'file_search', arguments: '{"queries":["When are refunds paid?"]}' }],
    });
    expect(result).toMatchObject({ role: 'tool', name: 'file_search' });
    expect(result?.content).toContain(`[1] a.txt\n${REFUNDS}`);
    expect(given.api.engine.last.job.tools).toBeUndefined();
    expect(response.tools).toEqual([given.search]);
  });

  test('streams its events in order', async () => {
    const given = await shop();
    given.api.engine.next(...CITING);
    const events = await eventsOf(await given.ask({ stream: true }));
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.file_search_call.in_progress',
      'response.file_search_call.searching',
      'response.file_search_call.completed',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      ...Array.from({ length: 2 }, () => 'response.output_text.delta'),
      'response.output_text.annotation.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events.map((event) => event['sequence_number'])).toEqual([...events.keys()]);
    const item = { type: 'file_search_call', queries: [], results: null, status: 'in_progress' };
    expect(events[2]).toMatchObject({ output_index: 0, item });
    const { id } = (events[2]?.['item'] ?? {}) as { id: string };
    for (const event of events.slice(3, 6)) {
      expect(event).toMatchObject({ item_id: id, output_index: 0 });
    }
    expect(events[6]).toMatchObject({
      item: { ...item, id, queries: ['When are refunds paid?'], status: 'completed' },
    });
    expect(events.find(({ type }) => type.endsWith('annotation.added'))).toMatchObject({
      output_index: 1,
      content_index: 0,
      annotation_index: 0,
      annotation: { type: 'file_citation', file_id: given.refunds, filename: 'a.txt', index: 19 },
    });
  });

  test.each(['required', { type: 'file_search' }])('is forced by %j', async (tool_choice) => {
    const given = await shop();
    const { output } = await json<Response>(await given.ask({ tool_choice }));
    expect(output.map(({ type }) => type)).toEqual(['file_search_call', 'message']);
  });

  test('is not used if tool_choice is none', async () => {
    const given = await shop();
    const { output } = await json<Response>(await given.ask({ tool_choice: 'none' }));
    expect(output.map(({ type }) => type)).toEqual(['message']);
    expect(messagesOf(given)).toHaveLength(1);
  });

  test('honours max_num_results, filters and ranking options', async () => {
    const given = await shop();
    const { client, hours, id } = given;
    await client.vectorStores.files.update(hours, {
      vector_store_id: id,
      attributes: { kind: 'hours' },
    });
    const found = async (more: object) => {
      const tools = [{ ...given.search, ...more }];
      const include = ['file_search_call.results'];
      const input = 'When are refunds paid, and is it open at nine?';
      const { output } = await json<Response>(await given.ask({ input, tools, include }));
      const [call] = output;
      return call?.type === 'file_search_call' ? call.results?.map((each) => each.filename) : [];
    };
    const byWord = { hybrid_search: { embedding_weight: 0, text_weight: 1 } };
    expect(await found({ ranking_options: byWord })).toEqual(['b.txt', 'a.txt']);
    expect(await found({ max_num_results: 1 })).toHaveLength(1);
    expect(await found({ filters: { type: 'eq', key: 'kind', value: 'hours' } })).toEqual([
      'b.txt',
    ]);
    expect(await found({ ranking_options: { ranker: 'none', score_threshold: 1 } })).toEqual([]);
    expect(messagesOf(given).at(-1)?.content).toContain('Nothing');
  });

  test('lets an installed reranker decide', async () => {
    const given = await shop([EMBEDDER, RANKER]);
    const response = await given.ask({
      input: 'opens at nine',
      include: ['file_search_call.results'],
    });
    const [call] = (await json<Response>(response)).output;
    expect(call).toMatchObject({ results: [{ filename: 'b.txt', score: 1 }, { score: 0 }] });
  });

  test('shows the model no more than a quarter of its context', async () => {
    const given = await storing();
    const long = Array.from({ length: 3_000 }, (_, at) => `refund${at % 7}`).join(' ');
    const id = await filled(given, { 'long.txt': long });
    const tools = [{ type: 'file_search', vector_store_ids: [id], max_num_results: 50 }];
    const include = ['file_search_call.results'];
    const body = { model: MODEL, input: 'refund1', tools, include };
    const [call] = (await json<Response>(await post(given, '/responses', body))).output;
    const { contextLength = 0 } = (await given.api.options.catalog.get(MODEL)) ?? {};
    const texts =
      call?.type === 'file_search_call' ? call.results?.map((each) => each.text ?? '') : [];
    expect(texts?.length).toBeGreaterThan(0);
    expect(texts?.join('').length).toBeLessThanOrEqual((contextLength / 4) * 3);
  });

  test('cites nothing in structured output', async () => {
    const given = await shop();
    given.api.engine.next(text('{"days":[1]}'), finish());
    const schema = { type: 'object', properties: { days: { type: 'array' } } };
    const response = await given.ask({
      text: { format: { type: 'json_schema', name: 'd', schema } },
    });
    const { output } = await json<Response>(response);
    expect(output[1]).toMatchObject({ content: [{ text: '{"days":[1]}', annotations: [] }] });
    expect(messagesOf(given).at(-1)?.content).not.toContain('Cite');
  });
});
