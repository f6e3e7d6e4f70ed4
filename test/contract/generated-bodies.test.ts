import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { MODEL, openApi, type TestApi } from './api.ts';
import { json, type ErrorBody } from './read.ts';

const FIELDS = [
  ...['model', 'messages', 'prompt', 'max_tokens', 'max_completion_tokens', 'temperature', 'top_p'],
  ...['top_k', 'min_p', 'frequency_penalty', 'presence_penalty', 'repetition_penalty', 'stop'],
  ...['logit_bias', 'seed', 'stream', 'stream_options', 'n', 'tools', 'tool_choice', 'functions'],
  ...['function_call', 'response_format', 'logprobs', 'top_logprobs', 'audio', 'modalities'],
  ...['reasoning_effort', 'chat_template_kwargs', 'suffix', 'echo', 'best_of', '__proto__'],
];

const messages = fc.array(
  fc.record(
    {
      role: fc.constantFrom('system', 'developer', 'user', 'assistant', 'tool', 7, null),
      content: fc.oneof(
        fc.string(),
        fc.jsonValue(),
        fc.array(
          fc.record({ type: fc.constantFrom('text', 'refusal', 'x'), text: fc.jsonValue() }),
        ),
      ),
      name: fc.jsonValue(),
      tool_calls: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
);

/** Bodies that are nearly right: most fields good or absent, some anything at all. */
const body = fc
  .tuple(
    fc.record({ model: fc.constant(MODEL), messages, prompt: fc.string() }, { requiredKeys: [] }),
    fc.dictionary(fc.constantFrom(...FIELDS), fc.jsonValue(), { maxKeys: 4 }),
  )
  .map(([base, rest]) => JSON.stringify({ ...base, ...rest }));

let api: TestApi;

beforeAll(async () => {
  api = await openApi();
});

describe.each(['/chat/completions', '/completions'])('POST %s, whatever the body,', (path) => {
  async function check(text: string): Promise<void> {
    const response = await api.post(path, text);
    expect([200, 400, 404]).toContain(response.status);
    if (response.status === 200) await response.text();
    else await checkError(response);
  }

  test('of nearly right fields: answers, or says what is wrong', async () => {
    await fc.assert(fc.asyncProperty(body, check), { numRuns: 300 });
  });

  test('of any text: answers, or says what is wrong', async () => {
    const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.json());
    await fc.assert(fc.asyncProperty(anything, check), { numRuns: 200 });
  });
});

test('GET of any path answers, or says what is wrong', async () => {
  await fc.assert(
    fc.asyncProperty(fc.webPath(), fc.boolean(), async (path, ofModels) => {
      const response = await api.fetch(`${ofModels ? '/models' : ''}${path}`);
      expect([200, 400, 404, 405]).toContain(response.status);
      if (response.status !== 200) await checkError(response);
    }),
    { numRuns: 200 },
  );
});

async function checkError(response: Response): Promise<void> {
  const { error } = await json<ErrorBody>(response);
  expect(Object.keys(error).sort()).toEqual(['code', 'message', 'param', 'type']);
  expect(error.message).toMatch(/\S/);
  expect(error.type).toBe('invalid_request_error');
}
