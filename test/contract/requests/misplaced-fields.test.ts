import { expect, test } from 'vitest';
import { MODEL, openApi } from '../support/api.ts';
import { json, type ErrorBody } from '../support/read.ts';

const chat = { messages: [{ role: 'user', content: 'Hi' }] };
const CHAT_TOOL = { type: 'function', function: { name: 'g' } };
const FLAT_TOOL = { type: 'function', name: 'g' };
const MESSAGE_TOOL = { name: 'g', input_schema: { type: 'object' } };
const SCHEMA = { type: 'object', properties: {} };

const inChat = (tool_choice: object) => ({ ...chat, tools: [CHAT_TOOL], tool_choice });
const inResponse = (tool_choice: object) => ({ input: 'Hi', tools: [FLAT_TOOL], tool_choice });
const inMessage = (tool_choice: object) => ({
  ...chat,
  max_tokens: 9,
  tools: [MESSAGE_TOOL],
  tool_choice,
});

/** Fields in the shape of another API, which would be lost, and the field that the error names. */
const CASES: [path: string, body: object, param: string][] = [
  [
    '/chat/completions',
    inChat({ type: 'allowed_tools', mode: 'required', tools: [CHAT_TOOL] }),
    'tool_choice.allowed_tools',
  ],
  ['/chat/completions', inChat(FLAT_TOOL), 'tool_choice.function'],
  ['/chat/completions', inChat({ ...CHAT_TOOL, name: 'g' }), 'tool_choice.name'],
  [
    '/chat/completions',
    inChat({ type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [FLAT_TOOL] } }),
    'tool_choice.allowed_tools.tools[0].function',
  ],
  [
    '/chat/completions',
    inChat({ type: 'allowed_tools', allowed_tools: { tools: [], strict: true } }),
    'tool_choice.allowed_tools.strict',
  ],
  [
    '/responses',
    inResponse({ type: 'allowed_tools', allowed_tools: { tools: [FLAT_TOOL] } }),
    'tool_choice.tools',
  ],
  ['/responses', inResponse(CHAT_TOOL), 'tool_choice.name'],
  ['/responses', inResponse({ ...FLAT_TOOL, mode: 'auto' }), 'tool_choice.mode'],
  ['/messages', inMessage({ type: 'auto', name: 'g' }), 'tool_choice.name'],
  ['/messages', inMessage({ type: 'any', tools: ['g'] }), 'tool_choice.tools'],
  [
    '/messages',
    { ...chat, max_tokens: 9, tools: [{ name: 'g', parameters: SCHEMA }] },
    'tools[0].input_schema',
  ],
  [
    '/chat/completions',
    { ...chat, response_format: { type: 'json_object', json_schema: { schema: SCHEMA } } },
    'response_format.json_schema',
  ],
  [
    '/chat/completions',
    { ...chat, response_format: { type: 'text', schema: SCHEMA } },
    'response_format.schema',
  ],
  [
    '/responses',
    { input: 'Hi', text: { format: { type: 'json_schema', json_schema: { schema: SCHEMA } } } },
    'text.format.schema',
  ],
  ['/responses', { input: 'Hi', text: { type: 'json_schema', schema: SCHEMA } }, 'text.type'],
  [
    '/chat/completions',
    { ...chat, structured_outputs: { json_schema: SCHEMA } },
    'structured_outputs.json_schema',
  ],
  ['/chat/completions', { ...chat, guided_json: SCHEMA, guided_choice: ['a'] }, 'guided_choice'],
  [
    '/chat/completions',
    { ...chat, tools: [{ type: 'function', function: { name: 'g', input_schema: SCHEMA } }] },
    'tools[0].function.input_schema',
  ],
  [
    '/chat/completions',
    { ...chat, tools: [{ ...CHAT_TOOL, parameters: SCHEMA }] },
    'tools[0].parameters',
  ],
  [
    '/responses',
    { input: 'Hi', tools: [{ ...FLAT_TOOL, input_schema: SCHEMA }] },
    'tools[0].input_schema',
  ],
  [
    '/responses',
    {
      input: [
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'g', arguments: '{}' } }],
        },
      ],
    },
    'input[0].tool_calls',
  ],
  [
    '/messages',
    { ...chat, max_tokens: 9, output_config: { type: 'json_schema', schema: SCHEMA } },
    'output_config.type',
  ],
  [
    '/messages',
    {
      ...chat,
      max_tokens: 9,
      output_format: { type: 'json_schema', schema: SCHEMA },
      output_config: { format: { type: 'json_schema', schema: { const: 1 } } },
    },
    'output_format',
  ],
];

test.each(CASES)('%s refuses what it would lose: %j', async (path, body, param) => {
  const api = await openApi();
  const response = await api.post(path, { model: MODEL, ...body });
  expect(response.status).toBe(400);
  const { error } = await json<ErrorBody>(response);
  expect(error.param).toBe(param);
});
