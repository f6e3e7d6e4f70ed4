import { describe, expect, test } from 'vitest';
import { jobFault } from '../../../src/core/errors/errors.ts';
import { MODEL, openApi } from '../support/api.ts';
import { chunksOf, errorOf, json, type CompletionBody } from '../support/read.ts';
import { finish, text, type Step } from '../support/test-engine.ts';

async function complete(body: object, ...answers: Step[][]) {
  const api = await openApi();
  for (const steps of answers) api.engine.next(...steps);
  const response = await api.post('/completions', { model: MODEL, prompt: 'Hi', ...body });
  return { api, response };
}

async function bodyOf(body: object, ...answers: Step[][]): Promise<CompletionBody> {
  const { response } = await complete(body, ...answers);
  expect(response.status).toBe(200);
  return json(response);
}

const spelled = (token: string) => ({ token, bytes: [...new TextEncoder().encode(token)] });
const chance = (token: string, logprob: number) => ({ ...spelled(token), logprob });

/** Text whose only token has this probability. */
function likely(word: string, logprob: number): Step {
  const other = chance('no', -9);
  return { type: 'text', text: word, logprobs: [{ ...chance(word, logprob), top: [other] }] };
}

describe('several prompts', () => {
  const prompt = ['one', 'two'];

  test('have their answers one after the other', async () => {
    const { api, response } = await complete(
      { prompt },
      [text('1'), finish()],
      [text('2'), finish('length')],
    );
    const { choices, usage } = await json<CompletionBody>(response);
    expect(choices).toMatchObject([
      { index: 0, text: '1', finish_reason: 'stop' },
      { index: 1, text: '2', finish_reason: 'length' },
    ]);
    expect(usage).toMatchObject({ prompt_tokens: 14, completion_tokens: 6, total_tokens: 20 });
    const prompts = api.engine.runs.map(({ job }) => job.prompt);
    expect(prompts).toEqual(prompt.map((each) => ({ kind: 'raw', text: each })));
  });

  test('are streamed with their index, each with several answers', async () => {
    const two = [text('a'), finish(), text('b'), finish()];
    const body = { prompt, n: 2, stream: true, stream_options: { include_usage: true } };
    const { response } = await complete(body, two, two);
    const chunks = await chunksOf<CompletionBody>(response);
    const texts = chunks.flatMap(({ choices }) => choices.map((it) => `${it.index}${it.text}`));
    expect(texts).toEqual(['0a', '0', '1b', '1', '2a', '2', '3b', '3']);
    expect(chunks.at(-1)?.usage).toMatchObject({ prompt_tokens: 14, completion_tokens: 12 });
  });

  test.each([
    [['one', ''], null, 'prompt[1]'],
    [['one', 7], 'unsupported_value', 'prompt'],
    [[], 'unsupported_value', 'prompt'],
    [[1, 2, 3], 'unsupported_value', 'prompt'],
    [Array(129).fill('x'), null, 'prompt'],
  ])('are refused: %j', async (prompts, code, param) => {
    const { response } = await complete({ prompt: prompts });
    expect(await errorOf(response)).toMatchObject({ status: 400, code, param });
  });
});

describe('echo', () => {
  test('repeats each prompt before its answers', async () => {
    const body = { prompt: ['one', 'two'], n: 1, echo: true };
    const { choices } = await bodyOf(body, [text(' 1'), finish()], [text(' 2'), finish()]);
    expect(choices.map((choice) => choice.text)).toEqual(['one 1', 'two 2']);
  });

  test('is streamed first', async () => {
    const { response } = await complete({ echo: true, stream: true }, [text(' you'), finish()]);
    const chunks = await chunksOf<CompletionBody>(response);
    expect(chunks.map(({ choices }) => choices[0]?.text)).toEqual(['Hi', ' you', '']);
  });

  test('with max_tokens 0 is all', async () => {
    const { api, response } = await complete({ echo: true, max_tokens: 0 }, [finish('length')]);
    const { choices } = await json<CompletionBody>(response);
    expect(choices).toMatchObject([{ text: 'Hi', finish_reason: 'length' }]);
    expect(api.engine.last.job.maxTokens).toBe(0);
  });

  test('is needed for max_tokens 0', async () => {
    const { response } = await complete({ max_tokens: 0 });
    expect(await errorOf(response)).toMatchObject({ status: 400, param: 'max_tokens' });
  });
});

describe('logprobs', () => {
  const steps = [likely('Hel', -0.5), likely('lo', -1), finish()];
  const whole = {
    tokens: ['Hel', 'lo'],
    token_logprobs: [-0.5, -1],
    text_offset: [0, 3],
    top_logprobs: [
      { no: -9, Hel: -0.5 },
      { no: -9, lo: -1 },
    ],
  };

  test('are those of the text', async () => {
    const { api, response } = await complete({ logprobs: 1 }, steps);
    const { choices } = await json<CompletionBody>(response);
    expect(choices[0]?.logprobs).toEqual(whole);
    expect(api.engine.last.job.topLogprobs).toBe(1);
  });

  test('are streamed with their place in the text', async () => {
    const { response } = await complete({ logprobs: 1, stream: true }, steps);
    const chunks = await chunksOf<CompletionBody>(response);
    const offsets = chunks.map(({ choices }) => choices[0]?.logprobs?.text_offset);
    expect(offsets).toEqual([[0], [3], undefined]);
  });
});

describe('logprobs with echo', () => {
  const scored: Step = {
    type: 'scored',
    prompt: {
      unscored: [spelled('H')],
      scored: [{ ...chance('i', -0.25), top: [chance('a', -3)] }],
    },
  };
  const steps = [scored, { type: 'start' } as const, likely(' you', -1), finish()];
  const body = { echo: true, logprobs: 1 };

  test('are those of the prompt and of its answer', async () => {
    const { api, response } = await complete(body, steps);
    const { choices } = await json<CompletionBody>(response);
    expect(choices).toMatchObject([
      {
        text: 'Hi you',
        logprobs: {
          tokens: ['H', 'i', ' you'],
          token_logprobs: [null, -0.25, -1],
          top_logprobs: [null, { a: -3 }, { no: -9 }],
          text_offset: [0, 1, 2],
        },
      },
    ]);
    expect(api.engine.last.job).toMatchObject({ scoresPrompt: true, topLogprobs: 1 });
  });

  test('can be those of the prompt alone, for several prompts', async () => {
    const asked = { ...body, prompt: ['Hi', 'Hi'], max_tokens: 0 };
    const only = [scored, finish('length')];
    const { choices } = await bodyOf(asked, only, only);
    const logprobs = { tokens: ['H', 'i'], token_logprobs: [null, -0.25] };
    expect(choices).toMatchObject([
      { index: 0, text: 'Hi', logprobs },
      { index: 1, text: 'Hi', logprobs },
    ]);
  });

  test('are streamed before the answers', async () => {
    const two = [...steps, likely('!', -2), finish()];
    const { response } = await complete({ ...body, n: 2, stream: true }, two);
    const chunks = await chunksOf<CompletionBody>(response);
    const shown = chunks.flatMap(({ choices }) =>
      choices.map((it) => [it.index, it.text, it.logprobs?.text_offset]),
    );
    expect(shown).toEqual([
      [0, 'Hi', [0, 1]],
      [1, 'Hi', [0, 1]],
      [0, ' you', [2]],
      [0, '', undefined],
      [1, '!', [2]],
      [1, '', undefined],
    ]);
  });
});

describe('best_of', () => {
  const three = [
    ...[likely('b', -2), finish(), likely('a', -1), finish(), likely('c', -3), finish()],
  ];

  test('shows the likeliest answers, and counts all', async () => {
    const { api, response } = await complete({ best_of: 3, n: 2 }, three);
    const { choices, usage } = await json<CompletionBody>(response);
    expect(choices).toMatchObject([
      { index: 0, text: 'b', logprobs: null },
      { index: 1, text: 'a', logprobs: null },
    ]);
    expect(usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 9 });
    expect(api.engine.last.job).toMatchObject({ choices: 3, topLogprobs: 0 });
  });

  test('works for each prompt', async () => {
    const body = { best_of: 3, prompt: ['one', 'two'], echo: true };
    const { choices } = await bodyOf(body, three, three);
    expect(choices.map((choice) => choice.text)).toEqual(['onea', 'twoa']);
  });

  test.each([
    [{ best_of: 1, n: 2 }, null],
    [{ best_of: 9 }, null],
    [{ best_of: 2, stream: true }, 'unsupported_value'],
  ])('is refused: %j', async (body, code) => {
    const { response } = await complete(body);
    expect(await errorOf(response)).toMatchObject({ status: 400, code, param: 'best_of' });
  });
});

describe('a suffix', () => {
  test('reaches the engine, for every prompt', async () => {
    const { api, response } = await complete({ prompt: ['one', 'two'], suffix: ' end' });
    await response.text();
    expect(api.engine.runs.map(({ job }) => job.prompt)).toEqual([
      { kind: 'raw', text: 'one', suffix: ' end' },
      { kind: 'raw', text: 'two', suffix: ' end' },
    ]);
  });

  test('is refused by name if the model cannot fill a gap', async () => {
    const fault = jobFault('suffix', 'needs another model.', { code: 'unsupported_value' });
    const { response } = await complete({ suffix: ' end' }, [fault]);
    expect(await errorOf(response)).toMatchObject({
      status: 400,
      code: 'unsupported_value',
      param: 'suffix',
    });
  });
});

test('a stop token that the model does not have is named', async () => {
  const { response } = await complete({ stop_token_ids: [1, 99] }, [
    jobFault('ending', 'is no token of this model.', { path: '[1]' }),
  ]);
  expect(await errorOf(response)).toMatchObject({ status: 400, param: 'stop_token_ids[1]' });
});
