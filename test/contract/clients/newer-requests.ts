import { EMBEDDER, MODEL, RANKER } from '../support/api.ts';

/** Requests of the endpoints for Responses, Messages, tokens, embeddings and reranking, in the shapes that real clients send. */
export const NEWER_REQUESTS: readonly { path: string; body: Record<string, unknown> }[] = [
  {
    path: '/responses',
    body: { model: MODEL, input: 'Hi', temperature: 0.5, metadata: { a: 'b' } },
  },
  {
    path: '/responses',
    body: {
      model: MODEL,
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a":1}' },
        { type: 'function_call_output', call_id: 'c', output: '1' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes' }] },
        { role: 'user', content: 'More' },
      ],
      tools: [{ type: 'function', name: 'f', parameters: { type: 'object' }, strict: null }],
      tool_choice: { type: 'function', name: 'f' },
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'low', summary: 'auto' },
    },
  },
  {
    path: '/responses',
    body: {
      model: MODEL,
      input: [{ role: 'user', content: 'Hi' }],
      max_output_tokens: 9,
      text: { format: { type: 'json_schema', name: 'w', schema: { type: 'object' } } },
    },
  },
  { path: '/responses/input_tokens', body: { model: MODEL, input: 'Hi' } },
  {
    path: '/messages',
    body: { model: MODEL, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
  },
  {
    path: '/messages',
    body: {
      model: MODEL,
      max_tokens: 9,
      stream: true,
      temperature: 1,
      stop_sequences: ['x'],
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 's' },
            { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: '1' }] },
      ],
      tools: [{ name: 'f', input_schema: { type: 'object' } }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      thinking: { type: 'enabled', budget_tokens: 5 },
    },
  },
  {
    path: '/messages/count_tokens',
    body: { model: MODEL, system: 'Be brief.', messages: [{ role: 'user', content: 'Hi' }] },
  },
  { path: '/tokenize', body: { model: MODEL, prompt: 'Hi', return_token_strs: true } },
  { path: '/detokenize', body: { model: MODEL, tokens: [72, 105] } },
  {
    path: '/chat/completions/input_tokens',
    body: { model: MODEL, messages: [{ role: 'user', content: 'Hi' }] },
  },
  { path: '/embeddings', body: { model: EMBEDDER, input: 'Hi', encoding_format: 'base64' } },
  {
    path: '/embeddings',
    body: { model: EMBEDDER, input: ['Hi', 'Ho'], dimensions: 2, input_type: 'query', user: 'ann' },
  },
  {
    path: '/rerank',
    body: {
      model: RANKER,
      query: 'Hi',
      documents: ['Ho', { text: 'Hi' }],
      top_n: 1,
      return_documents: true,
      max_tokens_per_doc: 9,
    },
  },
];
