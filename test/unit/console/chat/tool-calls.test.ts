import { describe, expect, test } from 'vitest';
import {
  messagesOf,
  newConversation,
  withTurn,
  shownTurns,
  type Turn,
} from '../../../../src/console/chat/conversation/conversation.ts';
import { asMarkdown } from '../../../../src/console/chat/conversation/files/export.ts';
import { requestBody } from '../../../../src/console/chat/answer/api-client.ts';
import { RunningAnswer } from '../../../../src/console/chat/answer/running-answer.ts';
import { callsAsFunctions } from '../../../../src/console/chat/servers/calls-as-functions.ts';
import { toolsProblem, type ToolCallPiece } from '../../../../src/console/chat/tools/tool-call.ts';
import { readableJson } from '../../../../src/console/json.ts';

function piece(index: number, part: Partial<ToolCallPiece>): ToolCallPiece {
  return { type: 'tool', index, id: '', name: '', arguments: '', ...part };
}

test('calls are put together from their pieces, and a screen reader is told each once', () => {
  const answer = new RunningAnswer('tiny-chat');
  answer.call(piece(0, { id: 'a', name: 'add' }));
  answer.call(piece(0, { arguments: '{"x":' }));
  answer.call(piece(0, { arguments: '1}' }));
  answer.call(piece(1, { id: 'b', name: 'now' }));
  expect(answer.toolCalls.value).toEqual([
    { id: 'a', name: 'add', arguments: '{"x":1}' },
    { id: 'b', name: 'now', arguments: '' },
  ]);
  expect(answer.said.value).toEqual(['Calls the function add.', 'Calls the function now.']);
});

test('arguments that are no JSON are shown as the model wrote them', () => {
  expect(readableJson('{"x":1}')).toBe('{\n  "x": 1\n}');
  expect(readableJson('{"x":')).toBe('{"x":');
});

test.each([
  ['', ''],
  ['[{ "type": "function", "function": { "name": "f" } }]', ''],
  ['{}', 'Tools must be a JSON list.'],
  ['[]', 'Tools must be a JSON list.'],
  ['[null]', 'Each tool needs function.name.'],
  ['[{ "function": { "name": "" } }]', 'Each tool needs function.name.'],
])('tools %j: %s', (text, problem) => {
  expect(toolsProblem(text)).toBe(problem);
});

test('text that is no JSON at all is no list of tools', () => {
  expect(toolsProblem('[')).not.toBe('');
});

const ASKED: Turn = { id: 'q', parent: null, role: 'user', text: 'Add 1 and 2.' };
const CALL: Turn = {
  id: 'a',
  parent: 'q',
  role: 'assistant',
  text: '',
  toolCalls: [{ id: 'call_1', name: 'add', arguments: '{"x":1}' }],
};
const RESULT: Turn = {
  id: 'r',
  parent: 'a',
  role: 'tool',
  text: '',
  results: [{ call: 'call_1', name: 'add', text: '3' }],
};
const SETTINGS = { system: '', schema: '' };

test('a call is sent with its results, and left out without them', () => {
  expect(messagesOf([ASKED, CALL, RESULT], SETTINGS, false)).toEqual([
    { role: 'user', content: 'Add 1 and 2.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'add', arguments: '{"x":1}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '3' },
  ]);
  const other: Turn = { id: 'q2', parent: 'a', role: 'user', text: 'Hello' };
  const left = messagesOf([ASKED, CALL, other], SETTINGS, false);
  expect(left.map(({ role }) => role)).toEqual(['user', 'user']);
});

test('tools become a field of the request', () => {
  const question = { model: 'm', messages: [], sampling: {}, again: false, isPlain: true };
  const tools = '[{ "function": { "name": "f" } }]';
  expect(requestBody({ ...question, settings: { ...SETTINGS, tools } })).toMatchObject({
    tools: [{ function: { name: 'f' } }],
  });
  expect(requestBody({ ...question, settings: SETTINGS })).not.toHaveProperty('tools');
});

test('an export has the calls, their results and who made an answer', () => {
  const answer: Turn = { id: 'b', parent: 'r', role: 'assistant', text: '3.', servedBy: 'cluster' };
  const whole = [ASKED, CALL, RESULT, answer].reduce(withTurn, newConversation());
  expect(shownTurns(whole)).toHaveLength(4);
  const text = asMarkdown(whole);
  expect(text).toContain('**add**\n\n```\n{\n  "x": 1\n}\n```');
  expect(text).toContain('**Results of functions**\n\n**add**\n\n```\n3\n```');
  expect(text).toContain('**Answer by cluster, not on this device**\n\n3.');
});

describe('for the chat API', () => {
  const given = '{"city":"Bonn"}';
  const call = { server: 's', name: 'get_weather', arguments: given };
  const asked: Turn = {
    id: 'a',
    parent: null,
    role: 'assistant',
    text: '',
    steps: [
      { type: 'tools', server: 's', names: ['get_weather'] },
      { type: 'request', id: 'r', ...call },
    ],
  };
  const decided = (isApproved: boolean): Turn => ({
    id: 'd',
    parent: 'a',
    role: 'tool',
    text: '',
    decisions: [{ request: 'r', name: 'get_weather', isApproved }],
  });
  const calls = (id: string) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name: 'get_weather', arguments: given } }],
  });

  test('calls of servers are functions with their results', () => {
    const answer: Turn = {
      id: 'b',
      parent: 'd',
      role: 'assistant',
      text: 'It is',
      steps: [
        { type: 'call', id: 'c', request: 'r', ...call, output: 'sunny', error: '' },
        { type: 'call', id: 'e', request: '', ...call, output: '', error: 'The disk is full.' },
      ],
    };
    const turns = callsAsFunctions([asked, decided(true), answer]);
    expect(messagesOf(turns, SETTINGS, false)).toEqual([
      calls('c'),
      { role: 'tool', tool_call_id: 'c', content: 'sunny' },
      calls('e'),
      { role: 'tool', tool_call_id: 'e', content: 'The call failed. The disk is full.' },
      { role: 'assistant', content: 'It is' },
    ]);
  });

  test('a call that the user has not allowed says so, and one that waits is left out', () => {
    expect(messagesOf(callsAsFunctions([asked, decided(false)]), SETTINGS, false)).toEqual([
      calls('r'),
      { role: 'tool', tool_call_id: 'r', content: 'The user did not allow this call.' },
    ]);
    expect(messagesOf(callsAsFunctions([asked]), SETTINGS, false)).toEqual([]);
    // A list of calls must not be empty.
    expect(messagesOf([asked, decided(true)], SETTINGS, false)).toEqual([]);
  });
});
