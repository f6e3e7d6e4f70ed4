import { describe, expect, test, vi } from 'vitest';
import type { Drafts } from '../../../src/core/operations/drafts.ts';
import { MODEL, openApi } from '../support/api.ts';
import { LlamaCppEngine } from '../support/llamacpp-engine.ts';
import { chunksOf, errorOf, json } from '../support/read.ts';
import { finish, text, type Step } from '../support/test-engine.ts';

vi.setConfig({ testTimeout: 120_000 });

const HI = { role: 'user', content: 'Hi' };
const PREDICTION = { type: 'content', content: 'Hello there' };
const USAGE = { promptTokens: 7, completionTokens: 3, cachedTokens: 2 };
const DRAFTS: Drafts = {
  forced: { drafted: 5, accepted: 4 },
  prediction: { drafted: 6, accepted: 2 },
  lookup: { drafted: 3, accepted: 1 },
};

/** An answer with these drafts. */
const drafted = (drafts?: Drafts): Step[] => [
  text('Hello'),
  finish('stop', { ...USAGE, ...(drafts && { drafts }) }),
];

async function ask(body: object, ...steps: Step[]) {
  const api = await openApi();
  if (steps.length > 0) api.engine.next(...steps);
  const request = { model: MODEL, messages: [HI], ...body };
  return { api, response: await api.post('/chat/completions', request) };
}

interface Body {
  choices: { message: object }[];
  usage: { completion_tokens: number; total_tokens: number; completion_tokens_details?: object };
  timings?: object;
}

describe('a prediction', () => {
  test.each([
    ['a string', PREDICTION],
    ['parts', { type: 'content', content: ['Hello', ' there'].map(textPart) }],
  ])('of %s reaches the engine as text', async (_, prediction) => {
    const { api, response } = await ask({ prediction });
    expect(response.status).toBe(200);
    expect(api.engine.last.job).toMatchObject({ prediction: 'Hello there' });
  });

  test('may be null', async () => {
    const { api, response } = await ask({ prediction: null });
    expect(response.status).toBe(200);
    expect(api.engine.last.job).not.toHaveProperty('prediction');
  });

  test.each([
    [{ type: 'text', content: 'x' }, 'prediction.type'],
    [{ content: 'x' }, 'prediction.type'],
    [{ type: 'content' }, 'prediction.content'],
    [{ type: 'content', content: 7 }, 'prediction.content'],
    [
      { type: 'content', content: [textPart('x'), { type: 'image_url' }] },
      'prediction.content[1].type',
    ],
    [
      { type: 'content', content: [{ type: 'refusal', refusal: 'x' }] },
      'prediction.content[0].type',
    ],
    [{ type: 'content', content: [{ type: 'text' }] }, 'prediction.content[0].text'],
    ['Hello', 'prediction'],
  ])('is refused if it is not as OpenAI has it: %j', async (prediction, param) => {
    const { api, response } = await ask({ prediction });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ param });
    expect(api.engine.runs).toEqual([]);
  });

  test('has its tokens in the usage; refused ones count as written', async () => {
    const { response } = await ask({ prediction: PREDICTION }, ...drafted(DRAFTS));
    expect((await json<Body>(response)).usage).toMatchObject({
      completion_tokens: 7,
      total_tokens: 14,
      completion_tokens_details: { accepted_prediction_tokens: 2, rejected_prediction_tokens: 4 },
    });
  });

  test('has its tokens in the usage of a stream, together for all answers', async () => {
    const body = { n: 2, stream: true, stream_options: { include_usage: true } };
    const steps = [...drafted(DRAFTS), ...drafted(DRAFTS)];
    const { response } = await ask({ ...body, prediction: PREDICTION }, ...steps);
    expect((await chunksOf<Body>(response)).at(-1)?.usage).toMatchObject({
      completion_tokens: 14,
      completion_tokens_details: { accepted_prediction_tokens: 4, rejected_prediction_tokens: 8 },
    });
  });

  test('counts zero on an engine that drafts nothing', async () => {
    const { response } = await ask({ prediction: PREDICTION }, ...drafted());
    expect((await json<Body>(response)).usage).toMatchObject({
      completion_tokens: 3,
      completion_tokens_details: { accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
    });
  });

  test('of a real model changes neither the text nor the reason, and is taken where it is right', async () => {
    const engine = new LlamaCppEngine();
    const send = async (more: object) => {
      const api = await openApi({ via: () => engine });
      const messages = [{ role: 'user', content: 'Count to 30.' }];
      const body = { model: MODEL, messages, max_tokens: 60, ...more };
      return json<Body & { choices: { message: { content: string } }[] }>(
        await api.post('/chat/completions', body),
      );
    };
    const { choices } = await send({});
    const content = choices[0]?.message.content ?? '';
    for (const predicted of [content, content.replace('7', 'seven'), 'Something else.']) {
      const prediction = { type: 'content', content: predicted };
      const answer = await send({ prediction });
      expect(answer.choices).toEqual(choices);
      expect(answer.usage.completion_tokens_details).toBeDefined();
      if (predicted === content) {
        const details = answer.usage.completion_tokens_details;
        expect(details).not.toMatchObject({ accepted_prediction_tokens: 0 });
      }
    }
  });
});

describe('without a prediction', () => {
  test('the usage has no tokens of one, and drafts do not count as written', async () => {
    const { response } = await ask({}, ...drafted(DRAFTS));
    const { usage } = await json<Body>(response);
    expect(usage).toMatchObject({ completion_tokens: 3 });
    expect(usage).not.toHaveProperty('completion_tokens_details');
  });

  test('timings tell what was drafted, and how much of it a grammar forced', async () => {
    const { response } = await ask({ timings_per_token: true }, ...drafted(DRAFTS));
    expect((await json<Body>(response)).timings).toMatchObject({
      predicted_n: 3,
      draft_n: 14,
      draft_n_accepted: 7,
      draft_n_forced: 5,
      draft_n_forced_accepted: 4,
    });
  });

  test('timings of an answer without drafts do not mention them', async () => {
    const { response } = await ask({ timings_per_token: true }, ...drafted());
    expect((await json<Body>(response)).timings).not.toHaveProperty('draft_n');
  });

  test('metrics count drafted and accepted tokens by what proposed them', async () => {
    const { api, response } = await ask({}, ...drafted(DRAFTS));
    await response.text();
    const report = await (await api.fetch('/metrics')).text();
    const labels = (source: string) => `{model="${MODEL}",source="${source}"}`;
    expect(report).toContain(`slashv1_draft_tokens_drafted_total${labels('forced')} 5\n`);
    expect(report).toContain(`slashv1_draft_tokens_accepted_total${labels('prediction')} 2\n`);
  });
});

function textPart(part: string) {
  return { type: 'text', text: part };
}
