import { expect, test } from 'vitest';
import type * as v from 'valibot';
import { chatRequestSchema } from '../../../sw/chat/chat-request.ts';
import { completionRequestSchema } from '../../../sw/completions/completion-request.ts';
import { conversationSchema } from '../../../sw/conversations/conversations.ts';
import { systemOneSchema } from '../../../sw/decisions/create-system-one.ts';
import { decisionRequestSchema } from '../../../sw/decisions/decision-request.ts';
import { embeddingRequestSchema } from '../../../sw/embeddings/embedding-request.ts';
import { countRequestSchema, messageRequestSchema } from '../../../sw/messages/message-request.ts';
import { rerankRequestSchema } from '../../../sw/rerank/create-rerank.ts';
import { responseRequestSchema } from '../../../sw/responses/response-request.ts';
import { speechRequestSchema } from '../../../sw/speech/speech-request.ts';
import {
  chatTokensSchema,
  detokenizeSchema,
  textTokensSchema,
} from '../../../sw/tokens/tokenize.ts';
import {
  batchSchema,
  memberSchema,
  searchSchema,
  storeSchema,
} from '../../../sw/vector-stores/store-request.ts';
import { catalogEntries, EMBEDDER, MODEL, RANKER, SPEECH_MODEL } from '../support/api.ts';
import { Fields, seeded } from './arbitrary-fields.ts';
import { expectAnswerOrRefusal, StrictEngine } from './fuzz-checks.ts';
import { quickApp } from '../support/quick-app.ts';
import { json } from '../support/read.ts';

/** Each run tests the same requests; `FUZZ_RUNS=20000` tests more, another seed others. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_126);
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 2_000);

const MESSAGES = [[{ role: 'user', content: 'Hi' }]];
const usual = (model: string, more: Record<string, readonly unknown[]> = {}) => ({
  model: [model],
  ...more,
});
const CHAT = usual(MODEL, {
  conversation: [null],
  content: ['Hi'],
  name: ['f'],
  role: ['user', 'assistant'],
  id: ['a'],
});

const DECISION = {
  input: ['Hi', [{ role: 'user', content: 'Hi' }]],
  type: ['predicate', 'choice', 'score'],
  instructions: ['Is it?'],
  choices: [[{ value: 'a' }, { value: true }]],
  levels: [[{ label: 'a' }, { label: 'b' }]],
};
const SYSTEM_ONE = {
  a: { type: 'noul', instructions: 'Is it?' },
  b: { type: 'choice', criteria: { x: 'y', z: null } },
  c: { type: 'score', criteria: ['x', 'y'] },
};

const STORE = {
  query: ['Hi', ['a', 'b']],
  filters: [null, { type: 'eq', key: 'a', value: 1 }],
  embedding_model: [null, EMBEDDER],
  // These two depend on each other.
  chunking_strategy: [null, { type: 'auto' }],
  hybrid_search: [null, { embedding_weight: 1, text_weight: 0 }],
  metadata: [null, {}, { a: 'b' }],
  attributes: [null, { a: 1, b: 'c' }],
  days: [1],
};

/** A response that searches files. */
const SEARCHING = { ...CHAT, input: ['Hi'], tool_choice: [null, 'auto', { type: 'file_search' }] };

/** A response that may call servers, of which none is there. */
const CALLING = {
  ...CHAT,
  input: ['Hi', [{ type: 'mcp_approval_response', approval_request_id: 'a', approve: true }]],
  server_label: ['docs', 'docs', 'other'],
  server_url: ['http://127.0.0.1:9/mcp', 'http://127.0.0.1:9/', 'https://other.example'],
};

type Endpoint = [
  path: string,
  schema: v.GenericSchema,
  usual: Readonly<Record<string, readonly unknown[]>>,
];

const ENDPOINTS: Endpoint[] = [
  ['/chat/completions', chatRequestSchema, CHAT],
  ['/chat/completions', chatRequestSchema, { ...CHAT, messages: MESSAGES }],
  ['/chat/completions/input_tokens', chatRequestSchema, { ...CHAT, messages: MESSAGES }],
  ['/completions', completionRequestSchema, usual(MODEL, { prompt: ['Hi', ['a', 'b']] })],
  ['/responses', responseRequestSchema, CHAT],
  ['/responses', responseRequestSchema, { ...CHAT, input: ['Hi'] }],
  ['/responses', responseRequestSchema, SEARCHING],
  ['/responses', responseRequestSchema, CALLING],
  ['/responses/input_tokens', responseRequestSchema, { ...CHAT, input: ['Hi'] }],
  ['/messages', messageRequestSchema, CHAT],
  ['/messages', messageRequestSchema, { ...CHAT, messages: MESSAGES, max_tokens: [9] }],
  ['/messages/count_tokens', countRequestSchema, CHAT],
  ['/decisions', decisionRequestSchema, usual(MODEL, DECISION)],
  ['/systemone', systemOneSchema, usual(MODEL, { state: ['Hi'], questions: [SYSTEM_ONE] })],
  ['/conversations', conversationSchema, CHAT],
  ['/embeddings', embeddingRequestSchema, usual(EMBEDDER, { input: ['Hi', ['a', 'b']] })],
  ['/rerank', rerankRequestSchema, usual(RANKER, { documents: [['a', 'b']] })],
  ['/vector_stores', storeSchema, STORE],
  ['/vector_stores/{store}/files', memberSchema, STORE],
  ['/vector_stores/{store}/file_batches', batchSchema, { ...STORE, files: [undefined] }],
  ['/vector_stores/{store}/search', searchSchema, STORE],
  ['/audio/speech', speechRequestSchema, usual(SPEECH_MODEL, { voice: ['ann'], input: ['Hi'] })],
  ['/tokenize', textTokensSchema, usual(MODEL)],
  ['/tokenize', chatTokensSchema, { ...CHAT, messages: MESSAGES }],
  ['/detokenize', detokenizeSchema, usual(MODEL)],
];

test(`every field with values of every type: ${RUNS} requests`, { timeout: 600_000 }, async () => {
  const engine = new StrictEngine();
  engine.files.models = catalogEntries();
  const { post } = quickApp(engine, {
    files: { owner: 'site' },
    mcp: ['http://127.0.0.1:9'],
  });
  const { file, store } = await storedIds(post);
  const random = seeded(SEED);
  const answered = new Map<string, number>();
  for (let run = 0; run < RUNS; run++) {
    const [path, schema, values] = ENDPOINTS[run % ENDPOINTS.length] ?? [];
    const search = { type: 'file_search', vector_store_ids: [store], max_num_results: 3 };
    const ids = { file_id: [file], file_ids: [[], [file]], vector_store_ids: [[store]] };
    if (!path || !schema || !values) continue;
    // Some requests have no odd value, some have one, some have several.
    const oddity = [0, 0.03, 0.2][Math.floor(random() * 3)] ?? 0;
    const body = JSON.stringify(
      new Fields(random, {
        ...ids,
        ...(values === SEARCHING && { tools: [[search]] }),
        ...values,
      }).value(schema, oddity),
    );
    const response = await post(path.replace('{store}', store), new TextEncoder().encode(body));
    if (response.ok) answered.set(path, (answered.get(path) ?? 0) + 1);
    await expectAnswerOrRefusal(response, [400, 404, 413, 424]).catch((error: unknown) => {
      throw new Error(`${path} ${body}`, { cause: error });
    });
  }
  // If hardly any were answered, this would only show that everything is refused.
  for (const [path] of ENDPOINTS) {
    expect([path, answered.get(path) ?? 0]).toEqual([path, expect.toSatisfy(isMany)]);
  }
});

const isMany = (count: number) => count >= RUNS / ENDPOINTS.length / 50;

/** The ids of a stored file and of a vector store. */
async function storedIds(post: ReturnType<typeof quickApp>['post']) {
  const form = new FormData();
  form.append('file', new File(['Hi'], 'a.txt'));
  form.append('purpose', 'assistants');
  const file = await json<{ id: string }>(await post('/files', form));
  const store = await json<{ id: string }>(await post('/vector_stores', '{}'));
  return { file: file.id, store: store.id };
}
