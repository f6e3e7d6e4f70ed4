import type OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { CITING, messagesOf, NOW, shop } from './file-search-api.ts';
import { json } from '../support/read.ts';
import { finish, text, toolArguments, toolCall, type Step } from '../support/test-engine.ts';

type Response = OpenAI.Responses.Response;

const SEARCHES = (...queries: string[]): Step[] => [
  toolCall(0, 'file_search'),
  toolArguments(0, JSON.stringify({ queries })),
  finish('tool_calls'),
];

describe('file_search beside functions', () => {
  const both = async () => {
    const given = await shop();
    return {
      ...given,
      ask: (more: object = {}) => given.ask({ tools: [given.search, NOW], ...more }),
    };
  };

  test('is a function that the model may call', async () => {
    const given = await both();
    given.api.engine.next(...SEARCHES('refunds', 'money'));
    given.api.engine.next(...CITING);
    const response = await json<Response>(await given.ask());
    expect(response.output).toMatchObject([
      { type: 'file_search_call', queries: ['refunds', 'money'], results: null },
      { type: 'message', content: [{ annotations: [{ file_id: given.refunds }] }] },
    ]);
    expect(response.usage).toMatchObject({ input_tokens: 14, output_tokens: 6, total_tokens: 20 });
    const { job } = given.api.engine.last;
    expect(job.tools).toMatchObject({
      tools: [{ name: 'file_search' }, { name: 'now' }],
      choice: 'auto',
      parallel: false,
    });
    expect(messagesOf(given).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });

  test('is left alone by a model that does not call it', async () => {
    const given = await both();
    const { output } = await json<Response>(await given.ask());
    expect(output.map(({ type }) => type)).toEqual(['message']);
    given.api.engine.next(toolCall(0, 'now'), toolArguments(0, '{}'), finish('tool_calls'));
    const called = await json<Response>(await given.ask());
    expect(called.output).toMatchObject([{ type: 'function_call', name: 'now', arguments: '{}' }]);
  });

  test('searches before the model is asked if it is forced', async () => {
    const given = await both();
    const { output } = await json<Response>(
      await given.ask({ tool_choice: { type: 'file_search' } }),
    );
    expect(output.map(({ type }) => type)).toEqual(['file_search_call', 'message']);
    expect(given.api.engine.last.job.tools).toMatchObject({ tools: [{ name: 'now' }] });
  });

  test.each([
    [
      'allowed_tools',
      { type: 'allowed_tools', mode: 'required', tools: [{ type: 'file_search' }] },
    ],
  ])('%s can force it', async (_, tool_choice) => {
    const given = await both();
    const { output } = await json<Response>(await given.ask({ tool_choice }));
    expect(output[0]?.type).toBe('file_search_call');
  });

  test('is not offered if another function is chosen', async () => {
    const given = await both();
    const names = () => given.api.engine.last.job.tools?.tools.map(({ name }) => name);
    await given.ask({ tool_choice: { type: 'function', name: 'now' } });
    expect(names()).toEqual(['now']);
    await given.ask({
      tool_choice: {
        type: 'allowed_tools',
        mode: 'auto',
        tools: [{ type: 'function', name: 'now' }],
      },
    });
    expect(names()).toEqual(['now']);
  });

  test('required asks for one call only', async () => {
    const given = await both();
    given.api.engine.next(...SEARCHES('refunds'));
    const response = await json<Response>(await given.ask({ tool_choice: 'required' }));
    expect(response.output.map(({ type }) => type)).toEqual(['file_search_call', 'message']);
    expect(given.api.engine.runs.map(({ job }) => job.tools?.choice)).toEqual(['required', 'auto']);
  });

  test.each([
    [4, {}],
    [1, { max_tool_calls: 1 }],
  ])('is offered for %i searches', async (most, more) => {
    const given = await both();
    for (let at = 0; at < 6; at++) given.api.engine.next(...SEARCHES(`refunds ${at}`));
    const { output } = await json<Response>(await given.ask(more));
    const searches = output.filter(({ type }) => type === 'file_search_call');
    expect(searches).toHaveLength(most);
    const { tools } = given.api.engine.last.job;
    expect(tools?.tools.map(({ name }) => name)).toEqual(['now']);
  });

  test('numbers the passages of several searches in one list', async () => {
    const given = await both();
    given.api.engine.next(...SEARCHES('refunds'));
    given.api.engine.next(...SEARCHES('opens at nine'));
    given.api.engine.next(text('At nine [2].'), finish());
    const { output } = await json<Response>(await given.ask());
    expect(output[2]).toMatchObject({
      content: [{ text: 'At nine.', annotations: [{ file_id: given.hours, index: 7 }] }],
    });
  });

  test('an answer that is cut in a call says so', async () => {
    const given = await both();
    given.api.engine.next(
      toolCall(0, 'file_search'),
      toolArguments(0, '{"queries":["ref'),
      finish('length'),
    );
    const response = await json<Response>(await given.ask());
    expect(response).toMatchObject({ status: 'incomplete', output: [{ type: 'message' }] });
  });

  test('max_output_tokens are those of the whole answer', async () => {
    const given = await both();
    given.api.engine.next(...SEARCHES('refunds'));
    await given.ask({ max_output_tokens: 10 });
    expect(given.api.engine.runs.map(({ job }) => job.maxTokens)).toEqual([10, 7]);
    given.api.engine.next(...SEARCHES('refunds'));
    const cut = await json<Response>(await given.ask({ max_output_tokens: 3 }));
    expect(cut).toMatchObject({ status: 'incomplete', output: [{ type: 'file_search_call' }, {}] });
  });
});
