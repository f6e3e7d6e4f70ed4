import { readFileSync } from 'node:fs';
import type { Page } from 'playwright/test';
import { complete, type ChatRequest } from '../support/chat.ts';
import { expect, test, TINY } from '../support/fixtures.ts';
import { LETTERS } from '../support/prompts.ts';

/** Checks that one parameter or feature, which the catalog lists for the model, works. */
type Check = (page: Page) => Promise<void>;

interface Listed {
  supported_sampling_parameters: string[];
  supported_features: string[];
}

const LISTS = ['supported_sampling_parameters', 'supported_features'] as const;

const WRITE_LETTERS: ChatRequest = { reasoning_effort: 'none', response_format: LETTERS };
const WILD: ChatRequest = { ...WRITE_LETTERS, temperature: 2 };
const GREEDY: ChatRequest = { ...WRITE_LETTERS, temperature: 0 };

async function ask(page: Page, request: ChatRequest) {
  const { choices, usage } = await complete(page, request);
  const [choice] = choices;
  if (!choice) throw new Error('There is no answer.');
  return { ...choice, content: choice.message.content ?? '', usage };
}

async function contents(page: Page, requests: ChatRequest[]): Promise<string[]> {
  const all: string[] = [];
  for (const request of requests) all.push((await ask(page, request)).content);
  return all;
}

const seeded = (request: ChatRequest) => [1, 2, 3].map((seed) => ({ ...request, seed }));

/** At its strictest, the parameter leaves only what greedy decoding chooses. */
function leavesTheLikeliest(limit: ChatRequest): Check {
  return async (page) => {
    const [greedy] = await contents(page, [GREEDY]);
    const wild = await contents(page, seeded(WILD));
    const limited = await contents(page, seeded({ ...WILD, ...limit }));
    expect(wild).not.toEqual(limited);
    expect(new Set(limited)).toEqual(new Set([greedy]));
  };
}

/** With the parameter, the same seeds give other answers. */
function changesWhatIsLikely(penalty: ChatRequest): Check {
  return async (page) => {
    const plain = await contents(page, seeded(WILD));
    expect(await contents(page, seeded({ ...WILD, ...penalty }))).not.toEqual(plain);
    expect(await contents(page, seeded(WILD))).toEqual(plain);
  };
}

const PARAMETERS: Record<string, Check> = {
  temperature: async (page) => {
    const [greedy, again] = await contents(page, [GREEDY, GREEDY]);
    expect(again).toBe(greedy);
    expect(new Set(await contents(page, seeded(WILD))).size).toBe(3);
  },
  top_p: leavesTheLikeliest({ top_p: 0 }),
  top_k: leavesTheLikeliest({ top_k: 1 }),
  min_p: leavesTheLikeliest({ min_p: 1 }),
  frequency_penalty: changesWhatIsLikely({ frequency_penalty: 2 }),
  presence_penalty: changesWhatIsLikely({ presence_penalty: 2 }),
  repetition_penalty: changesWhatIsLikely({ repetition_penalty: 10 }),
  stop: async (page) => {
    const [whole = ''] = await contents(page, [GREEDY]);
    const stop = whole.slice(6, 9);
    const { content, finish_reason } = await ask(page, { ...GREEDY, stop: ['§§', stop] });
    expect(finish_reason).toBe('stop');
    expect(content).toBe(whole.slice(0, whole.indexOf(stop)));
  },
  seed: async (page) => {
    const first = await contents(page, seeded(WILD));
    expect(await contents(page, seeded(WILD))).toEqual(first);
    expect(new Set(first).size).toBe(3);
  },
  max_tokens: async (page) => {
    const { finish_reason, usage } = await ask(page, { ...GREEDY, max_tokens: 3 });
    expect([finish_reason, usage?.completion_tokens]).toEqual(['length', 3]);
  },
  logit_bias: async (page) => {
    const pack = new URL('../../../models/packs/tiny-chat/tokenizer.json', import.meta.url);
    const { model } = JSON.parse(readFileSync(pack, 'utf8')) as {
      model: { vocab: Record<string, number> };
    };
    const logit_bias = { [String(model.vocab['Q'])]: 100 };
    const [content] = await contents(page, [{ logit_bias, temperature: 0, max_tokens: 4 }]);
    expect(content).toBe('QQQQ');
  },
  logprobs: async (page) => {
    const { content, logprobs } = await ask(page, { ...GREEDY, logprobs: true });
    const bytes = logprobs?.content?.flatMap((token) => token.bytes ?? []) ?? [];
    expect(new TextDecoder().decode(Uint8Array.from(bytes))).toBe(content);
    expect(logprobs?.content?.every(({ logprob }) => logprob < 0)).toBe(true);
  },
  top_logprobs: async (page) => {
    const { logprobs } = await ask(page, { ...GREEDY, logprobs: true, top_logprobs: 20 });
    for (const { top_logprobs } of logprobs?.content ?? []) {
      const values = top_logprobs.map(({ logprob }) => logprob);
      expect(values).toHaveLength(20);
      expect(values).toEqual(values.toSorted((a, b) => b - a));
      const total = values.reduce((sum, value) => sum + Math.exp(value), 0);
      expect(total).toBeLessThan(1.0001);
    }
    expect(logprobs?.content?.length).toBeGreaterThan(0);
  },
};

const FEATURES: Record<string, Check> = {
  tools: async (page) => {
    const parameters = {
      type: 'object',
      properties: { word: { const: 'yes' } },
      required: ['word'],
    };
    const tools = [{ type: 'function' as const, function: { name: 'say', parameters } }];
    const asked = { tools, tool_choice: 'required' as const, parallel_tool_calls: false };
    const { message, finish_reason } = await ask(page, { ...asked, temperature: 2, seed: 1 });
    expect(message.tool_calls).toMatchObject([{ type: 'function', function: { name: 'say' } }]);
    expect(JSON.stringify(message.tool_calls)).toMatch(/\{\\"word\\": ?\\"yes\\"\}/);
    expect(finish_reason).toBe('tool_calls');
  },
  json_mode: async (page) => {
    const schema = { type: 'object', maxProperties: 1, additionalProperties: { type: 'boolean' } };
    const response_format = { type: 'json_object' as const, schema };
    const asked = { response_format, reasoning_effort: 'none' as const, temperature: 2, seed: 1 };
    const [content = ''] = await contents(page, [asked]);
    expect(content).toMatch(/^\{/);
    expect(Object.values(JSON.parse(content) as object).length).toBeLessThan(2);
  },
  structured_outputs: async (page) => {
    for (const content of await contents(page, seeded(WILD))) {
      expect(content).toMatch(/^"[a-z]{16}"$/);
    }
  },
  logprobs: async (page) => {
    const { logprobs } = await ask(page, { ...GREEDY, logprobs: true, top_logprobs: 1 });
    expect(logprobs?.content?.[0]).toMatchObject({ token: '"', bytes: [34] });
  },
  reasoning: async (page) => {
    const { message, content } = await ask(page, { temperature: 0, reasoning_effort: 'high' });
    expect(message).toMatchObject({ reasoning_content: expect.stringMatching(/\w/) });
    expect(content).toMatch(/\w/);
  },
  reasoning_by_choice: async (page) => {
    const thoughts = async (enable_thinking: boolean) => {
      const asked = { temperature: 0, chat_template_kwargs: { enable_thinking } };
      const { message } = await ask(page, asked);
      return (message as { reasoning_content?: string }).reasoning_content;
    };
    expect(await thoughts(true)).toMatch(/\w/);
    expect(await thoughts(false)).toBeUndefined();
  },
};

const CHECKS = { supported_sampling_parameters: PARAMETERS, supported_features: FEATURES };

for (const list of LISTS) {
  test(`${list}: each entry has a test here, and each test here has an entry`, async ({
    ready,
  }) => {
    const model: unknown = await ready.evaluate((id) => window.client.models.retrieve(id), TINY);
    const listed = (model as Listed)[list];
    expect(new Set(listed)).toEqual(new Set(Object.keys(CHECKS[list])));
    expect(new Set(listed).size).toBe(listed.length);
  });

  for (const [name, expectToWork] of Object.entries(CHECKS[list])) {
    test(`${list}: ${name} works`, ({ ready }) => expectToWork(ready));
  }
}
