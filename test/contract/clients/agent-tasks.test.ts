import { expect, test } from 'vitest';
import { asClaudeCode, asCodex, claudeCode, FOUND, UPDATED, type Done } from './agent-shapes.ts';
import { MODEL, openApi, type TestApi } from '../support/api.ts';
import { withoutBreakpoints } from '../../../src/core/operations/prompt-caching.ts';
import { anthropic } from '../messages/messages-clients.ts';
import { finish, text, toolArguments, toolCall } from '../support/test-engine.ts';

const READ = { file_path: '/site/a.txt' };
const EDIT = { file_path: '/site/a.txt', old_string: 'a', new_string: 'b' };
const TASK = 'Rename a to b.';
const DONE: Done = {
  calls: [
    ['Read', READ],
    ['Edit', EDIT],
  ],
  answer: 'I renamed it.',
};

/** The model reads a file, changes it, and says so. */
function script(api: TestApi): void {
  api.engine.next(
    { type: 'reasoning', text: 'I read it first.' },
    text('Let me look.'),
    toolCall(0, 'Read'),
    toolArguments(0, JSON.stringify(READ)),
    finish('tool_calls'),
  );
  api.engine.next(
    { type: 'tool-call', index: 0, id: 'call_9', name: 'Edit' },
    toolArguments(0, JSON.stringify(EDIT)),
    finish('tool_calls'),
  );
  api.engine.next(text(DONE.answer), finish());
}

/** What the model read in its last turn: each message's role and the names of its calls. */
function lastTurn(api: TestApi) {
  const { prompt, tools } = api.engine.last.job;
  if (prompt.kind !== 'chat') throw new Error('It is no chat.');
  const messages = prompt.messages.map(({ role, content, toolCalls = [], toolCallId }) => ({
    role,
    ...(role === 'tool' ? { content: withoutBreakpoints(content) } : {}),
    ...(toolCalls.length > 0 && {
      calls: toolCalls.map(({ name, arguments: given }) => [name, given]),
    }),
    ...(toolCallId !== undefined && { isAnswer: true }),
  }));
  return { messages, offered: tools?.tools.map(({ name }) => name) };
}

const WHOLE_TASK = [
  { role: 'assistant', calls: [['Read', JSON.stringify(READ)]] },
  { role: 'tool', content: FOUND, isAnswer: true },
  { role: 'assistant', calls: [['Edit', JSON.stringify(EDIT)]] },
  { role: 'tool', content: UPDATED, isAnswer: true },
];

test('a request as Claude Code sends it completes a task of two steps', async () => {
  const api = await openApi();
  script(api);
  const client = anthropic(api);
  const messages: object[] = [];
  expect(await asClaudeCode(client, MODEL, TASK, messages)).toEqual(DONE);
  const { messages: read, offered } = lastTurn(api);
  expect(offered).toEqual(['Read', 'Edit']);
  expect(read).toEqual([{ role: 'system' }, { role: 'user' }, ...WHOLE_TASK]);
  const { max_tokens: _most, stream: _stream, ...counted } = claudeCode(MODEL, messages);
  const { input_tokens } = await client.beta.messages.countTokens(counted as never);
  expect(input_tokens).toBeGreaterThan(0);
});

test('a request as Codex sends it completes a task of two steps', async () => {
  const api = await openApi();
  script(api);
  expect(await asCodex(api.client(), MODEL, TASK)).toEqual(DONE);
  const { messages: read, offered } = lastTurn(api);
  expect(offered).toEqual(['Read', 'Edit']);
  expect(read.filter(({ role }) => role === 'assistant' || role === 'tool')).toEqual(WHOLE_TASK);
});
