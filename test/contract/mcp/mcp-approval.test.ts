import type OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { MODEL } from '../support/api.ts';
import { calling, messagesOf, serving, type Serving } from './mcp-api.ts';
import { errorOf, eventsOf, json } from '../support/read.ts';
import { finish, text } from '../support/test-engine.ts';

type Response = OpenAI.Responses.Response;

const SAYING = [text('Sent.'), finish()];
const QUESTION = { role: 'user', content: 'Write to Ann.' };

/** A server whose calls need approval, and an answer that asks for one. */
async function asking(more: object = {}) {
  const given = await serving();
  const { require_approval: _, ...tool } = given.tool;
  given.api.engine.next(...calling('send_mail', { to: 'Ann' }));
  const ask = (rest: object) => given.post('/responses', { model: MODEL, tools: [tool], ...rest });
  const response = await json<Response>(await ask({ input: [QUESTION], ...more }));
  const request = response.output.at(-1);
  if (request?.type !== 'mcp_approval_request') throw new Error('It asks for no approval.');
  return { ...given, tool, ask, response, request };
}

function approval({ request }: Pick<Awaited<ReturnType<typeof asking>>, 'request'>, more = {}) {
  const { id: approval_request_id } = request;
  return { type: 'mcp_approval_response', approval_request_id, approve: true, ...more };
}

async function outputOf(response: globalThis.Response) {
  return (await json<Response>(response)).output;
}

function expectSent({ api, server }: Pick<Serving, 'api' | 'server'>) {
  expect(server.calls).toEqual([{ name: 'send_mail', arguments: { to: 'Ann' } }]);
  expect(messagesOf({ api })).toMatchObject([
    QUESTION,
    { role: 'assistant', toolCalls: [{ name: 'send_mail', arguments: '{"to":"Ann"}' }] },
    { role: 'tool', content: 'Sent to Ann.' },
  ]);
}

describe('a call that needs approval', () => {
  test('is asked for, and ends the answer', async () => {
    const { response, request, server } = await asking();
    expect(request).toEqual({
      id: expect.stringMatching(/^mcpr_/),
      type: 'mcp_approval_request',
      server_label: 'weather',
      name: 'send_mail',
      arguments: '{"to":"Ann"}',
    });
    expect(response.status).toBe('completed');
    expect(response.output.map(({ type }) => type)).toEqual([
      'mcp_list_tools',
      'mcp_approval_request',
    ]);
    expect(server.calls).toEqual([]);
  });

  test('is made once it is approved, without a second list', async () => {
    const given = await asking();
    given.api.engine.next(...SAYING);
    const input = [approval(given)];
    const output = await outputOf(
      await given.ask({ input, previous_response_id: given.response.id }),
    );
    expect(output.map(({ type }) => type)).toEqual(['mcp_call', 'message']);
    expect(output[0]).toMatchObject({
      approval_request_id: given.request.id,
      output: 'Sent to Ann.',
    });
    expectSent(given);
    expect(given.api.engine.servers.asked).toHaveLength(2);
  });

  test('is streamed in order', async () => {
    const given = await asking();
    given.api.engine.next(...SAYING);
    const events = await eventsOf(
      await given.ask({
        input: [approval(given)],
        previous_response_id: given.response.id,
        stream: true,
      }),
    );
    expect(events.slice(0, 8).map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.mcp_call.in_progress',
      'response.mcp_call_arguments.delta',
      'response.mcp_call_arguments.done',
      'response.mcp_call.completed',
      'response.output_item.done',
    ]);
  });

  test('is approved by a reference to its request, and by the whole request', async () => {
    const first = await asking();
    const reference = { type: 'item_reference', id: first.request.id };
    await first.ask({ input: [QUESTION, reference, approval(first)] });
    expectSent(first);
    const second = await asking({ store: false });
    await second.ask({ input: [QUESTION, ...second.response.output, approval(second)] });
    expectSent(second);
  });

  test('is approved in a conversation, and not made again by the next turn', async () => {
    const given = await serving();
    const { require_approval: _, ...tool } = given.tool;
    const { id: conversation } = await given.client.conversations.create();
    const ask = (input: unknown) =>
      given.post('/responses', { model: MODEL, tools: [tool], conversation, input });
    given.api.engine.next(...calling('send_mail', { to: 'Ann' }));
    const [, request] = await outputOf(await ask([QUESTION]));
    if (request?.type !== 'mcp_approval_request') throw new Error('It asks for no approval.');
    await outputOf(await ask([approval({ request })]));
    expectSent(given);
    await outputOf(await ask('Thanks'));
    expect(given.server.calls).toHaveLength(1);
    expect(messagesOf(given)).toHaveLength(5);
    const { data } = await given.client.conversations.items.list(conversation, { order: 'asc' });
    expect(data.map(({ type }) => type)).toEqual([
      'message',
      'mcp_list_tools',
      'mcp_approval_request',
      'mcp_approval_response',
      'mcp_call',
      'message',
      'message',
      'message',
    ]);
  });

  test('is approved by an item that is added to its conversation', async () => {
    const given = await serving();
    const { require_approval: _, ...tool } = given.tool;
    const { id } = await given.client.conversations.create();
    const ask = (input: unknown) =>
      given.post('/responses', { model: MODEL, tools: [tool], conversation: id, input });
    given.api.engine.next(...calling('send_mail', { to: 'Ann' }));
    const [, request] = await outputOf(await ask([QUESTION]));
    if (request?.type !== 'mcp_approval_request') throw new Error('It asks for no approval.');
    const added = await given.post(`/conversations/${id}/items`, {
      items: [approval({ request })],
    });
    expect(added.status).toBe(200);
    await outputOf(await ask('Go on.'));
    expect(given.server.calls).toHaveLength(1);
  });

  test('is not made if it is refused, and the model is told why', async () => {
    const given = await asking();
    const input = [approval(given, { approve: false, reason: 'Too early.' })];
    const output = await outputOf(
      await given.ask({ input, previous_response_id: given.response.id }),
    );
    expect(output.map(({ type }) => type)).toEqual(['message']);
    expect(given.server.calls).toEqual([]);
    expect(messagesOf(given).at(-1)).toMatchObject({
      role: 'tool',
      content: 'The user did not allow this call. The reason: Too early.',
    });
  });

  test('is forgotten if the user says something else', async () => {
    const given = await asking();
    const more = { input: 'Never mind.', previous_response_id: given.response.id };
    expect((await given.ask(more)).status).toBe(200);
    expect(messagesOf(given).map(({ role }) => role)).toEqual(['user', 'user']);
  });

  test.each([
    ['never', true],
    [{ never: { tool_names: ['send_mail'] } }, true],
    [{ never: { read_only: true } }, false],
    [{ never: { read_only: false } }, true],
    [{ never: { tool_names: ['send_mail'] }, always: { tool_names: ['send_mail'] } }, false],
    [{ always: { tool_names: ['get_weather'] } }, false],
    [{ never: {} }, false],
    ['always', false],
    [null, false],
  ])('with require_approval %j is made at once: %j', async (require_approval, isMade) => {
    const { api, ask, server, tool } = await serving();
    api.engine.next(...calling('send_mail', { to: 'Ann' }));
    await ask({ tools: [{ ...tool, require_approval }] });
    expect(server.calls).toHaveLength(isMade ? 1 : 0);
  });
});

describe('an approval is refused', () => {
  test('of a request that is not known', async () => {
    const given = await asking();
    const input = [QUESTION, approval(given)];
    expect(await errorOf(await given.ask({ input }))).toMatchObject({
      status: 400,
      param: 'input[1].approval_request_id',
    });
  });

  test('that is given twice', async () => {
    const given = await asking();
    const input = [...given.response.output, approval(given), approval(given)];
    expect(await errorOf(await given.ask({ input }))).toMatchObject({
      status: 400,
      param: 'input[3].approval_request_id',
    });
    expect(given.server.calls).toEqual([]);
  });

  test.each([[[]], [[{ server_label: 'other' }]], [[{ allowed_tools: ['fail'] }]]])(
    'of a tool that the request does not offer: %j',
    async (changes: object[]) => {
      const given = await asking();
      const tools = changes.map((change) => ({ ...given.tool, ...change }));
      const input = [...given.response.output, approval(given)];
      expect(await errorOf(await given.ask({ input, tools }))).toMatchObject({
        status: 400,
        param: 'input[2].approval_request_id',
      });
      expect(given.server.calls).toEqual([]);
    },
  );
});
