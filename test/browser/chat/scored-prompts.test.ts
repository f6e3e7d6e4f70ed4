import { readFileSync } from 'node:fs';
import type OpenAI from 'openai';
import type { Page } from 'playwright/test';
import { Vocabulary } from '../../../src/engine/conversation/answer/vocabulary.ts';
import { reference } from '../../support/reference.ts';
import { chunksOf } from '../support/chat.ts';
import { expect, test } from '../support/fixtures.ts';
import { user } from '../support/prompts.ts';
import { TINY } from '../support/site.ts';

/** The largest difference from numpy that counts as rounding. */
const TOLERANCE = 1e-3;

type Wanted = Omit<OpenAI.CompletionCreateParamsNonStreaming, 'model'>;

/** Asks for the likelihood of a text, as lm-eval does. */
function score(page: Page, request: Wanted): Promise<OpenAI.Completion> {
  return page.evaluate((body) => window.client.completions.create(body), {
    model: TINY,
    echo: true,
    logprobs: 5,
    temperature: 0,
    ...request,
  });
}

function tinyVocabulary(): Vocabulary {
  const path = new URL('../../../models/packs/tiny-chat/tokenizer.json', import.meta.url);
  return new Vocabulary(JSON.parse(readFileSync(path, 'utf8')));
}

test('the log-probabilities of a prompt are those that numpy computes', async ({ ready }) => {
  const [turn] = reference('tiny-chat').conversations[0]?.turns ?? [];
  if (!turn) throw new Error('The reference has no conversation.');
  const prompt = turn.text + turn.answer;
  const { choices, usage } = await score(ready, { prompt, max_tokens: 0 });
  const { tokens = [], token_logprobs = [], text_offset = [] } = choices[0]?.logprobs ?? {};
  expect(choices[0]).toMatchObject({ text: prompt, finish_reason: 'length' });
  expect(tokens.join('')).toBe(prompt);
  expect(text_offset.at(-1)).toBe(prompt.length - (tokens.at(-1) ?? '').length);
  expect(usage).toMatchObject({ prompt_tokens: tokens.length, completion_tokens: 0 });
  expect(token_logprobs[0]).toBeNull();
  // Numpy's last step is the end of the turn.
  const steps = turn.steps.slice(0, -1).map(([first]) => first);
  const answer = token_logprobs.slice(turn.tokens.length);
  expect(answer).toHaveLength(steps.length);
  const vocabulary = tinyVocabulary();
  for (const [index, [id = NaN, logprob = NaN] = []] of steps.entries()) {
    const token = tokens[turn.tokens.length + index];
    expect(token).toBe(new TextDecoder().decode(vocabulary.bytes(id)));
    expect(Math.abs((answer[index] ?? NaN) - logprob), `step ${index}`).toBeLessThan(TOLERANCE);
  }
});

test('prompts are scored before their answers, streamed too', async ({ ready }) => {
  const request = { prompt: ['Hello there', 'Zürich 🙂 €'], max_tokens: 2 };
  const whole = await score(ready, request);
  const streamed = await ready.evaluate(
    async (body) => {
      const stream = await window.client.completions.create({ ...body, stream: true });
      return Array.fromAsync(stream);
    },
    {
      model: TINY,
      echo: true,
      logprobs: 5,
      temperature: 0,
      ...request,
    },
  );
  for (const [index, { text, logprobs }] of whole.choices.entries()) {
    const own = streamed.flatMap(({ choices }) => choices.filter((it) => it.index === index));
    expect(own.map((it) => it.text).join('')).toBe(text);
    expect(own.flatMap((it) => it.logprobs?.text_offset ?? [])).toEqual(logprobs?.text_offset);
    expect(own.flatMap((it) => it.logprobs?.tokens ?? [])).toEqual(logprobs?.tokens);
    expect(own[0]?.text).toBe(request.prompt[index]);
  }
  const plain = await score(ready, { ...request, echo: false });
  expect(whole.choices.map((it) => it.text)).toEqual(
    plain.choices.map((it, index) => `${request.prompt[index]}${it.text}`),
  );
});

test('a prompt that the context does not hold is refused', async ({ ready }) => {
  const refused = await ready.evaluate(
    (body) => window.refusalOf(window.client.completions.create(body)),
    { model: TINY, echo: true, logprobs: 1, max_tokens: 0, prompt: 'word '.repeat(3000) },
  );
  expect(refused).toMatchObject({ status: 400, code: 'context_length_exceeded' });
});

test('the reading of a prompt is reported, up to its end', async ({ ready, engine }) => {
  const messages = [user(`Hello! ${'Nice to meet you. '.repeat(20)}`)];
  const chunks = await chunksOf(ready, { messages, return_progress: true, max_tokens: 1 });
  const told = chunks.flatMap((chunk) =>
    'prompt_progress' in chunk
      ? [chunk.prompt_progress as { processed: number; total: number }]
      : [],
  );
  const processed = told.map((each) => each.processed);
  // WebLLM reads a prompt of this length in one part.
  expect(processed.length).toBeGreaterThanOrEqual(engine === 'webllm' ? 1 : 3);
  expect(processed).toEqual(processed.toSorted((a, b) => a - b));
  expect(processed.at(-1)).toBe(told[0]?.total);
});
