import type OpenAI from 'openai';
import { BadRequestError, NotFoundError } from 'openai';
import { zodTextFormat, zodResponsesFunction } from 'openai/helpers/zod';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { serverError } from '../../../src/core/errors/errors.ts';
import { MODEL, openApi } from '../support/api.ts';
import { forbidNetwork } from '../support/forbid-network.ts';
import { finish, HANG, text, toolArguments, toolCall, type Step } from '../support/test-engine.ts';

forbidNetwork();

const Weather = z.object({ city: z.string(), temp: z.number() });
const TURN = {
  model: MODEL,
  input: 'Hi',
} satisfies OpenAI.Responses.ResponseCreateParamsNonStreaming;
const CALL: Step[] = [
  { type: 'reasoning', text: 'Hm.' },
  ...[toolCall(0, 'get_weather'), toolArguments(0, '{"city":'), toolArguments(0, '"Bern"}')],
  finish('tool_calls'),
];

async function setUp() {
  const api = await openApi();
  return { api, client: api.client({ maxRetries: 0 }) };
}

describe('client.responses of the openai package', () => {
  test('creates an answer', async () => {
    const { client } = await setUp();
    const response = await client.responses.create({ ...TURN, instructions: 'Be brief.' });
    expect(response.output_text).toBe('Hello there');
    expect(response.status).toBe('completed');
    expect(response.usage?.total_tokens).toBe(10);
    expect(response._request_id).toMatch(/^req_/);
  });

  test('streams events', async () => {
    const { client } = await setUp();
    const stream = await client.responses.create({ ...TURN, stream: true });
    let received = '';
    const types: string[] = [];
    for await (const event of stream) {
      types.push(event.type);
      if (event.type === 'response.output_text.delta') received += event.delta;
    }
    expect(received).toBe('Hello there');
    expect(types.at(-1)).toBe('response.completed');
  });

  test('streams through its helper, which checks every event', async () => {
    const { api, client } = await setUp();
    api.engine.next({ type: 'reasoning', text: 'Hm.' }, text('Hello'), text(' there'), finish());
    const runner = client.responses.stream(TURN);
    const pieces: string[] = [];
    runner.on('response.output_text.delta', ({ delta }) => pieces.push(delta));
    const response = await runner.finalResponse();
    expect(pieces).toEqual(['Hello', ' there']);
    expect(response.output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
    expect(response.output_text).toBe('Hello there');
  });

  test('parses structured output, streamed and not', async () => {
    const { api, client } = await setUp();
    api.engine.always(text('{"city":"Bern",'), text('"temp":1}'), finish());
    const body = { ...TURN, text: { format: zodTextFormat(Weather, 'w') } };
    const { output_parsed } = await client.responses.parse(body);
    expect(output_parsed).toEqual({ city: 'Bern', temp: 1 });
    expect(api.engine.last.job.format).toMatchObject({ schema: { properties: { temp: {} } } });
    const response = await client.responses.stream(body).finalResponse();
    expect(response.output_parsed).toEqual({ city: 'Bern', temp: 1 });
  });

  test('parses nothing if the answer was cut', async () => {
    const { api, client } = await setUp();
    api.engine.next(text('{"city":"Be'), finish('length'));
    const body = { ...TURN, text: { format: zodTextFormat(Weather, 'w') } };
    const response = await client.responses.parse(body);
    expect(response.output_parsed).toBeNull();
    expect(response.incomplete_details).toEqual({ reason: 'max_output_tokens' });
  });

  test('parses calls', async () => {
    const { api, client } = await setUp();
    api.engine.next(...CALL);
    const parameters = z.object({ city: z.string() });
    const tools = [zodResponsesFunction({ name: 'get_weather', parameters })];
    const { output } = await client.responses.parse({ ...TURN, tools });
    expect(output[1]).toMatchObject({ type: 'function_call', parsed_arguments: { city: 'Bern' } });
  });

  test('sends an answer’s items back with the result of a call', async () => {
    const { api, client } = await setUp();
    api.engine.next(...CALL);
    const tools: OpenAI.Responses.FunctionTool[] = [
      { type: 'function', name: 'get_weather', parameters: { type: 'object' }, strict: true },
    ];
    const include: OpenAI.Responses.ResponseIncludable[] = ['reasoning.encrypted_content'];
    const first = await client.responses.create({ ...TURN, tools, include, store: false });
    const call = first.output.find((item) => item.type === 'function_call');
    const input: OpenAI.Responses.ResponseInput = [
      { role: 'user', content: 'Hi' },
      // The client's types have more kinds of items than this API makes.
      ...(first.output as OpenAI.Responses.ResponseInput),
      { type: 'function_call_output', call_id: call?.call_id ?? '', output: 'sunny' },
    ];
    await client.responses.create({ ...TURN, tools, input, store: false });
    expect(api.engine.last.job.prompt).toMatchObject({
      messages: [
        { role: 'user' },
        { role: 'assistant', reasoning: 'Hm.', toolCalls: [{ arguments: '{"city":"Bern"}' }] },
        { role: 'tool', content: 'sunny', name: 'get_weather' },
      ],
    });
  });

  test('continues, reads and deletes what is kept', async () => {
    const { client } = await setUp();
    const first = await client.responses.create(TURN);
    const more = { ...TURN, input: 'More', previous_response_id: first.id };
    expect((await client.responses.create(more)).output_text).toBe('Hello there');
    const again = await client.responses.retrieve(first.id);
    expect(again.output_text).toBe('Hello there');
    await client.responses.delete(first.id);
    await expect(client.responses.retrieve(first.id)).rejects.toBeInstanceOf(NotFoundError);
    const lost = client.responses.create({ ...more });
    await expect(lost).rejects.toBeInstanceOf(BadRequestError);
    await expect(lost).rejects.toMatchObject({ code: 'previous_response_not_found' });
  });

  test('throws what fails in the middle of a stream', async () => {
    const { api, client } = await setUp();
    api.engine.always(text('Hel'), serverError('engine_error', 'The GPU is gone.'));
    const stream = await client.responses.create({ ...TURN, stream: true });
    const reading = Array.fromAsync(stream);
    await expect(reading).rejects.toThrow('The GPU is gone.');
    await expect(client.responses.stream(TURN).finalResponse()).rejects.toThrow('The GPU is gone.');
  });

  test('stops the engine when it aborts', async () => {
    const { api, client } = await setUp();
    api.engine.next(text('Hel'), HANG);
    const stream = await client.responses.create({ ...TURN, stream: true });
    for await (const { type } of stream) {
      if (type === 'response.output_text.delta') stream.controller.abort();
    }
    await vi.waitFor(() => expect(api.engine.last.ended).toBe(true));
    expect(api.engine.last.signal.aborted).toBe(true);
  });
});
