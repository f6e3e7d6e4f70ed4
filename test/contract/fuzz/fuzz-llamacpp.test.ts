import { expect, test } from 'vitest';
import type * as v from 'valibot';
import { chatRequestSchema } from '../../../sw/chat/chat-request.ts';
import { completionRequestSchema } from '../../../sw/completions/completion-request.ts';
import { messageRequestSchema } from '../../../sw/messages/message-request.ts';
import { responseRequestSchema } from '../../../sw/responses/response-request.ts';
import {
  chatTokensSchema,
  detokenizeSchema,
  textTokensSchema,
} from '../../../sw/tokens/tokenize.ts';
import { MODEL } from '../support/api.ts';
import { Fields, seeded } from './arbitrary-fields.ts';
import { expectAnswerOrRefusal } from './fuzz-checks.ts';
import { LlamaCppEngine } from '../support/llamacpp-engine.ts';
import { quickApp } from '../support/quick-app.ts';

/** Each run tests the same requests; `FUZZ_RUNS=20000` tests more, another seed others. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_126);
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 150);

const MESSAGES = [[{ role: 'user', content: 'What is the capital of France?' }]];
const USUAL = {
  model: [MODEL],
  messages: MESSAGES,
  input: ['Count to 5.'],
  name: ['f'],
  n: [1, 2],
  conversation: [null],
  prediction: [{ type: 'content', content: 'The capital of France is Paris.' }],
};

/** The limit keeps answers short: what matters is what the sampler, the grammars and the parsers make of the fields. */
const ENDPOINTS: [path: string, schema: v.GenericSchema, limit: object][] = [
  ['/chat/completions', chatRequestSchema, { max_tokens: 12, max_completion_tokens: null }],
  ['/completions', completionRequestSchema, { max_tokens: 12 }],
  ['/responses', responseRequestSchema, { max_output_tokens: 12 }],
  ['/messages', messageRequestSchema, { max_tokens: 12 }],
  ['/tokenize', textTokensSchema, {}],
  ['/tokenize', chatTokensSchema, {}],
  ['/detokenize', detokenizeSchema, {}],
];

test(
  `a real model gets fields of every type: ${RUNS} requests`,
  { timeout: 3_600_000 },
  async () => {
    const engine = new LlamaCppEngine();
    const { post } = quickApp(engine);
    const random = seeded(SEED);
    const answered = new Map<string, number>();
    for (let run = 0; run < RUNS; run++) {
      const [path = '', schema, limit] = ENDPOINTS[run % ENDPOINTS.length] ?? [];
      if (!schema) continue;
      const oddity = [0, 0.03, 0.1][Math.floor(random() * 3)] ?? 0;
      const value = new Fields(random, USUAL).value(schema, oddity);
      const fields = typeof value === 'object' && value !== null ? value : {};
      const body = JSON.stringify({ ...fields, ...limit });
      const response = await post(path, body);
      if (response.ok) answered.set(path, (answered.get(path) ?? 0) + 1);
      await expectAnswerOrRefusal(response, [400, 404, 413]).catch((error: unknown) => {
        throw new Error(`${path} ${body}`, { cause: error });
      });
      // No request costs the engine, or the model in it.
      expect([engine.loads <= 1, engine.isBroken, `${path} ${body}`]).toEqual([
        true,
        false,
        expect.any(String),
      ]);
    }
    // Refusals alone would show nothing of the model.
    for (const [path] of ENDPOINTS) expect(answered.get(path) ?? 0).toBeGreaterThan(0);
  },
);
