import type { Anthropic } from '@anthropic-ai/sdk';
import type { OpenAI } from 'openai';

/** The files that an agent works on: what its tools answer. */
export const FOUND = '     1→a';
export const UPDATED = 'The file was updated.';
const RESULTS: Record<string, string> = { Read: FOUND, Edit: UPDATED };

/** A task of two steps has a third turn, in which the model says that it is done. */
const MOST_STEPS = 3;

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

/** The request that Claude Code 2 sends, but for its length. */
export function claudeCode(model: string, messages: object[]) {
  const cached = { cache_control: { type: 'ephemeral', ttl: '1h' } };
  return {
    model,
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

/** What an agent has done. */
export interface Done {
  /** The names of the tools that the model called, with what it gave them. */
  calls: [string, unknown][];
  answer: string;
}

/** Has a model do a task as Claude Code does: tools run until it calls none. */
export async function asClaudeCode(
  client: Anthropic,
  model: string,
  task: string,
  messages: object[] = [],
): Promise<Done> {
  messages.push({
    role: 'user',
    content: [
      { type: 'text', text: '<system-reminder>Today is Friday.</system-reminder>' },
      { type: 'text', text: task, cache_control: { type: 'ephemeral' } },
    ],
  });
  const calls: Done['calls'] = [];
  for (let step = 0; step < MOST_STEPS; step++) {
    const { content } = await client.beta.messages
      .stream(claudeCode(model, messages) as never, { headers: CLAUDE_HEADERS })
      .finalMessage();
    messages.push({ role: 'assistant', content });
    const used = content.filter((block) => block.type === 'tool_use');
    calls.push(...used.map(({ name, input }): [string, unknown] => [name, input]));
    if (used.length === 0) {
      return {
        calls,
        answer: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      };
    }
    const results = used.map(({ id, name }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: [{ type: 'text', text: RESULTS[name] }],
      cache_control: { type: 'ephemeral' },
    }));
    messages.push({ role: 'user', content: results });
  }
  throw new Error('The task has no end.');
}

/** The request that Codex sends, but for its length. */
function codex(model: string, input: object[]) {
  return {
    model,
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

/** Has a model do a task as Codex does. */
export async function asCodex(client: OpenAI, model: string, task: string): Promise<Done> {
  const input: object[] = [
    said('developer', '<permissions instructions>Ask first.</permissions instructions>'),
    said('user', '<environment_context><cwd>/site</cwd></environment_context>'),
    said('user', task),
  ];
  const calls: Done['calls'] = [];
  for (let step = 0; step < MOST_STEPS; step++) {
    const { output } = await client.responses
      .stream(codex(model, input) as never, {
        headers: { originator: 'codex_cli_rs', session_id: '1' },
      })
      .finalResponse();
    const made = output.filter((item) => item.type === 'function_call');
    calls.push(...made.map((call): [string, unknown] => [call.name, JSON.parse(call.arguments)]));
    // Codex sends items back without their ids, as nothing is stored.
    input.push(...output.map(({ id: _id, ...item }: { id?: string }) => item));
    for (const { call_id, name } of made) {
      input.push({ type: 'function_call_output', call_id, output: RESULTS[name] });
    }
    if (made.length > 0) continue;
    const answer = output
      .flatMap((item) => (item.type === 'message' ? item.content : []))
      .map((part) => (part.type === 'output_text' ? part.text : ''))
      .join('');
    return { calls, answer };
  }
  throw new Error('The task has no end.');
}
