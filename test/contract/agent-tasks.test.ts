import { expect, test } from 'vitest';
import { MODEL, openApi, type TestApi } from './api.ts';
import { anthropic } from './messages-clients.ts';
import { finish, text, toolArguments, toolCall } from './test-engine.ts';

const READ = { file_path: '/site/a.txt' };
const EDIT = { file_path: '/site/a.txt', old_string: 'a', new_string: 'b' };
const FOUND = '     1→a';
const DONE = 'I renamed it.';

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
  api.engine.next(text(DONE), finish());
}

/** What the tools answer. */
const RESULTS: Record<string, string> = { Read: FOUND, Edit: 'The file was updated.' };

const schema = (...names: string[]) => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: Object.fromEntries(
    names.map((name) => [name, { type: 'string', description: `The ${name}` }]),
  ),
  required: names,
  additionalProperties: false,
});
const FUNCTIONS = [
  { name: 'Read', description: 'Reads a file', parameters: schema('file_path') },
  {
    name: 'Edit',
    description: 'Replaces text',
    parameters: schema('file_path', 'old_string', 'new_string'),
  },
];

/** What the model read in its last turn: each message's role and the names of its calls. */
function lastTurn(api: TestApi) {
  const { prompt, tools } = api.engine.last.job;
  if (prompt.kind !== 'chat') throw new Error('It is no chat.');
  const messages = prompt.messages.map(({ role, content, toolCalls = [], toolCallId }) => ({
    role,
    ...(role === 'tool' ? { content } : {}),
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
  { role: 'tool', content: 'The file was updated.', isAnswer: true },
];

/** The request that Claude Code 2 sends, but for its length. */
function claudeCode(messages: object[]) {
  const cached = { cache_control: { type: 'ephemeral', ttl: '1h' } };
  return {
    model: MODEL,
    max_tokens: 32_000,
    stream: true,
    temperature: 1,
    system: [
      { type: 'text', text: 'You are Claude Code.', ...cached },
      { type: 'text', text: 'Use the tools.', ...cached },
    ],
    messages,
    tools: [
      ...FUNCTIONS.map(({ parameters, ...rest }) => ({ ...rest, input_schema: parameters })),
      { type: 'web_search_20250305', name: 'web_search', max_uses: 8 },
    ],
    metadata: { user_id: 'user_1_account__session_2' },
    thinking: { type: 'adaptive' },
    output_config: { effort: 'medium' },
    context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  };
}

const CLAUDE_HEADERS = {
  'anthropic-version': '2023-06-01',
  'anthropic-beta':
    'claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27',
  'x-app': 'cli',
};

test('a request as Claude Code sends it completes a task of two steps', async () => {
  const api = await openApi();
  script(api);
  const client = anthropic(api);
  const messages: object[] = [
    {
      role: 'user',
      content: [
        { type: 'text', text: '<system-reminder>Today is Friday.</system-reminder>' },
        { type: 'text', text: 'Rename a to b.', cache_control: { type: 'ephemeral' } },
      ],
    },
  ];
  let answer = '';
  for (let step = 0; answer === ''; step++) {
    expect(step).toBeLessThan(3);
    const body = claudeCode(messages);
    const { content } = await client.beta.messages
      .stream(body as never, { headers: CLAUDE_HEADERS })
      .finalMessage();
    messages.push({ role: 'assistant', content });
    const results = content.flatMap((block) =>
      block.type === 'tool_use'
        ? [
            {
              type: 'tool_result',
              tool_use_id: block.id,
              content: [{ type: 'text', text: RESULTS[block.name] }],
              cache_control: { type: 'ephemeral' },
            },
          ]
        : [],
    );
    if (results.length > 0) messages.push({ role: 'user', content: results });
    else answer = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  }
  expect(answer).toBe(DONE);
  const { messages: read, offered } = lastTurn(api);
  expect(offered).toEqual(['Read', 'Edit']);
  expect(read).toEqual([{ role: 'system' }, { role: 'user' }, ...WHOLE_TASK]);
  const { max_tokens: _most, stream: _stream, ...counted } = claudeCode(messages);
  const { input_tokens } = await client.beta.messages.countTokens(counted as never);
  expect(input_tokens).toBeGreaterThan(0);
});

/** The request that Codex sends, but for its length. */
function codex(input: object[]) {
  return {
    model: MODEL,
    instructions: 'You are Codex.',
    input,
    tools: [
      ...FUNCTIONS.map((each) => ({ type: 'function', strict: false, ...each })),
      {
        type: 'custom',
        name: 'apply_patch',
        description: 'Patches files',
        format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
      },
      { type: 'web_search', external_web_access: false },
    ],
    tool_choice: 'auto',
    parallel_tool_calls: false,
    reasoning: { effort: 'medium', summary: 'auto' },
    store: false,
    stream: true,
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: '0199-1',
    text: { verbosity: 'low' },
  };
}

const said = (role: string, content: string) => ({
  type: 'message',
  role,
  content: [{ type: 'input_text', text: content }],
});

test('a request as Codex sends it completes a task of two steps', async () => {
  const api = await openApi();
  script(api);
  const client = api.client();
  const input: object[] = [
    said('developer', '<permissions instructions>Ask first.</permissions instructions>'),
    said('user', '<environment_context><cwd>/site</cwd></environment_context>'),
    said('user', 'Rename a to b.'),
  ];
  let answer = '';
  for (let step = 0; answer === ''; step++) {
    expect(step).toBeLessThan(3);
    const { output } = await client.responses
      .stream(codex(input) as never, { headers: { originator: 'codex_cli_rs', session_id: '1' } })
      .finalResponse();
    const calls = output.filter((item) => item.type === 'function_call');
    // Codex sends items back without their ids, as nothing is stored.
    input.push(...output.map(({ id: _id, ...item }: { id?: string }) => item));
    for (const { call_id, name } of calls) {
      input.push({ type: 'function_call_output', call_id, output: RESULTS[name] });
    }
    if (calls.length > 0) continue;
    answer = output
      .flatMap((item) => (item.type === 'message' ? item.content : []))
      .map((part) => (part.type === 'output_text' ? part.text : ''))
      .join('');
  }
  expect(answer).toBe(DONE);
  const { messages: read, offered } = lastTurn(api);
  expect(offered).toEqual(['Read', 'Edit']);
  expect(read.filter(({ role }) => role === 'assistant' || role === 'tool')).toEqual(WHOLE_TASK);
});
