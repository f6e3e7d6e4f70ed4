import { recordings } from '../support/shared-fixtures.ts';
import { chunksOf, eventsOf, json, type ChatBody } from '../support/read.ts';

/** A request with tools. */
export interface ToolRequest {
  name: string;
  path: string;
  body: Record<string, unknown>;
}

const SCHEMA = {
  type: 'object',
  properties: { command: { type: 'string' }, timeout: { type: 'number' } },
  required: ['command'],
  additionalProperties: false,
};

/** Claude Code's requests in shape: tools of its own and of servers, thinking, a history with a thought and a call. */
const CLAUDE_CODE: ToolRequest = {
  name: 'Claude Code-shaped',
  path: '/messages',
  body: {
    max_tokens: 32_000,
    stream: true,
    temperature: 1,
    metadata: { user_id: 'user_1_account__session_1' },
    thinking: { type: 'enabled', budget_tokens: 31_999 },
    context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    system: [
      { type: 'text', text: 'You are a coding agent.', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'Work in /repo.', cache_control: { type: 'ephemeral' } },
    ],
    tools: [
      { name: 'Bash', description: 'Runs a command.', input_schema: SCHEMA },
      {
        name: 'Read',
        description: 'Reads a file.',
        input_schema: { type: 'object', properties: { file_path: { type: 'string' } } },
      },
      { type: 'web_search_20250305', name: 'web_search', max_uses: 8 },
    ],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: '<system-reminder>Be brief.</system-reminder>' },
          { type: 'text', text: 'What is here?', cache_control: { type: 'ephemeral' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'I list the files.', signature: 'c2xhc2h2MQ==' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'README.md' }],
      },
    ],
  },
};

/** Codex's requests in shape: instructions, a developer's message, tools of its own and of servers, encrypted thoughts. */
const CODEX: ToolRequest = {
  name: 'Codex-shaped',
  path: '/responses',
  body: {
    instructions: 'You are a coding agent.',
    store: false,
    stream: true,
    parallel_tool_calls: false,
    tool_choice: 'auto',
    prompt_cache_key: 'session-1',
    include: ['reasoning.encrypted_content'],
    reasoning: { effort: 'medium', summary: 'auto' },
    tools: [
      { type: 'function', name: 'shell', description: 'Runs.', strict: false, parameters: SCHEMA },
      { type: 'custom', name: 'apply_patch', description: 'Edits.', format: { type: 'text' } },
      { type: 'web_search' },
      { type: 'local_shell' },
    ],
    input: [
      {
        type: 'message',
        role: 'developer',
        content: [{ type: 'input_text', text: 'Sandbox: read-only.' }],
      },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'What is here?' }] },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'I list the files.' }] },
      { type: 'function_call', call_id: 'c1', name: 'shell', arguments: '{"command":"ls"}' },
      { type: 'function_call_output', call_id: 'c1', output: 'README.md' },
    ],
  },
};

const PATH = /^\/v1(\/chat\/completions|\/responses|\/messages)$/;

/** Requests with tools in the shapes of agents, and those recorded from clients if the recordings are there. */
export function toolRequests(): ToolRequest[] {
  const recorded = recordings().flatMap((recording) =>
    recording.requests.flatMap(({ path, body }, index): ToolRequest[] => {
      const [, below] = PATH.exec(path) ?? [];
      if (below === undefined || !body || !isPlain(body)) return [];
      const name = `${recording.client} ${recording.case} ${index + 1}`;
      return [{ name, path: below, body }];
    }),
  );
  return [CLAUDE_CODE, CODEX, ...recorded];
}

/** Whether a request offers functions, and all that it needs is in it. */
function isPlain(body: Record<string, unknown>): boolean {
  const { tools } = body;
  if (!Array.isArray(tools) || tools.length === 0) return false;
  const elsewhere =
    /"type":"(input_image|image_url|image|code_interpreter|file_search|mcp|item_reference|input_audio)"/;
  const far = ['previous_response_id', 'conversation', 'background', 'thread'];
  return !far.some((name) => name in body) && !elsewhere.test(JSON.stringify(body));
}

/** What an answer says, whichever endpoint it came from. */
export interface Turn {
  thought: string;
  text: string;
  calls: { name: string; arguments: unknown }[];
}

interface Block {
  type: string;
  thinking?: string;
  text?: string;
  name?: string;
  input?: unknown;
}

interface Item {
  type: string;
  name?: string;
  arguments?: string;
  summary?: { text: string }[];
  content?: { text: string }[];
}

export async function turnOf({ path, body }: ToolRequest, response: Response): Promise<Turn> {
  const streams = body['stream'] === true;
  switch (path) {
    case '/messages':
      return blocksTurn(
        streams
          ? await streamedBlocks(response)
          : (await json<{ content: Block[] }>(response)).content,
      );
    case '/responses':
      return itemsTurn(
        streams ? await streamedItems(response) : (await json<{ output: Item[] }>(response)).output,
      );
    default:
      return streams ? chunksTurn(response) : messageTurn(await json<ChatBody>(response));
  }
}

function messageTurn({ choices: [choice] }: ChatBody): Turn {
  const { content, tool_calls = [], ...more } = choice?.message ?? { content: null };
  const thought = 'reasoning' in more ? String(more.reasoning) : '';
  const calls = tool_calls.flatMap((call) => (call.type === 'function' ? call.function : []));
  return {
    thought,
    text: content ?? '',
    calls: calls.map(({ name, arguments: text }) => ({ name, arguments: JSON.parse(text) })),
  };
}

async function chunksTurn(response: Response): Promise<Turn> {
  const turn = { thought: '', text: '', calls: [] as { name: string; json: string }[] };
  for (const { choices } of await chunksOf(response)) {
    const { content, tool_calls = [], ...more } = choices[0]?.delta ?? {};
    turn.text += content ?? '';
    turn.thought += 'reasoning' in more ? String(more.reasoning) : '';
    for (const { index, function: called } of tool_calls) {
      const call = (turn.calls[index] ??= { name: '', json: '' });
      call.name += called?.name ?? '';
      call.json += called?.arguments ?? '';
    }
  }
  const calls = turn.calls.map(({ name, json: text }) => ({ name, arguments: JSON.parse(text) }));
  return { ...turn, calls };
}

function blocksTurn(blocks: readonly Block[]): Turn {
  const of = (type: string) => blocks.filter((block) => block.type === type);
  return {
    thought: of('thinking')
      .map(({ thinking }) => thinking)
      .join(''),
    text: of('text')
      .map(({ text }) => text)
      .join(''),
    calls: of('tool_use').map(({ name = '', input }) => ({ name, arguments: input })),
  };
}

async function streamedBlocks(response: Response): Promise<Block[]> {
  const blocks: Block[] = [];
  const inputs: string[] = [];
  interface Event {
    type: string;
    index?: number;
    content_block?: Block;
    delta?: { text?: string; thinking?: string; partial_json?: string };
  }
  for (const { index = -1, content_block: begun, delta } of await eventsOf<Event>(response)) {
    if (begun) blocks[index] = { ...begun };
    const block = blocks[index];
    if (!block || !delta) continue;
    if (delta.text !== undefined) block.text = (block.text ?? '') + delta.text;
    if (delta.thinking !== undefined) block.thinking = (block.thinking ?? '') + delta.thinking;
    if (delta.partial_json !== undefined)
      inputs[index] = (inputs[index] ?? '') + delta.partial_json;
  }
  return blocks.map((block, index) => {
    const input = inputs[index];
    return input === undefined ? block : { ...block, input: JSON.parse(input || '{}') as unknown };
  });
}

function itemsTurn(items: readonly Item[]): Turn {
  const of = (type: string) => items.filter((item) => item.type === type);
  const texts = (parts: { text: string }[] = []) => parts.map(({ text }) => text).join('');
  return {
    thought: of('reasoning')
      .map(({ summary }) => texts(summary))
      .join(''),
    text: of('message')
      .map(({ content }) => texts(content))
      .join(''),
    calls: of('function_call').map(({ name = '', arguments: text = '' }) => ({
      name,
      arguments: JSON.parse(text) as unknown,
    })),
  };
}

async function streamedItems(response: Response): Promise<Item[]> {
  const events = await eventsOf<{ type: string; response?: { output: Item[] } }>(response);
  return events.find(({ type }) => type === 'response.completed')?.response?.output ?? [];
}
