import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  answerNames,
  askedQuestion,
  quotedInput,
} from '../../../src/engine/conversation/decisions/question-text.ts';
import { MODEL, openApi } from '../support/api.ts';
import { LlamaCppEngine } from '../support/llamacpp-engine.ts';
import { errorOf, json, type ChatBody } from '../support/read.ts';

vi.setConfig({ testTimeout: 300_000 });

const engine = new LlamaCppEngine();
const INPUT = 'I was charged twice.';
const TEAM = 'Which team?';
// One is the beginning of another one, and two begin with the same letters.
const CHOICES = ['bill', 'billing', 'sales', 'salads', 'it'];

interface DecisionBody {
  answers: {
    choice: string;
    probabilities: { value: string; probability: number }[];
    coverage: number;
    probability: number;
  }[];
  usage: { input_tokens: number; input_tokens_details: { cached_tokens: number } };
}

async function post<T>(path: string, body: object): Promise<T> {
  const api = await openApi({ via: () => engine });
  return json<T>(await api.post(path, { model: MODEL, ...body }));
}

function decisionOf(body: object): Promise<DecisionBody> {
  return post('/decisions', body);
}

const choiceOf = (values: readonly string[]) => ({
  type: 'choice',
  instructions: TEAM,
  choices: values.map((value) => ({ value })),
});

describe('POST /v1/decisions on a real model', () => {
  test('the probabilities are those of constrained writing at temperature 1', async () => {
    const { answers } = await decisionOf({
      input: INPUT,
      option_orders: 1,
      questions: [choiceOf(CHOICES)],
    });
    const options = CHOICES.map((text) => ({ text }));
    const question = { type: 'choice' as const, options };
    const names = await answerNames(question, () => Promise.resolve(1));
    const asked = askedQuestion(question, names, TEAM, false);
    const counts = new Map<string, number>();
    const SAMPLES = 120;
    for (let seed = 0; seed < SAMPLES; seed++) {
      const { choices } = await post<ChatBody>('/chat/completions', {
        messages: [{ role: 'user', content: quotedInput(INPUT) + asked.text }],
        guided_choice: CHOICES,
        chat_template_kwargs: { enable_thinking: false },
        temperature: 1,
        top_p: 1,
        seed,
      });
      const text = choices[0]?.message.content ?? '';
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    const [answer] = answers;
    for (const { value, probability } of answer?.probabilities ?? []) {
      const deviation = Math.sqrt((probability * (1 - probability)) / SAMPLES);
      expect(Math.abs((counts.get(value) ?? 0) / SAMPLES - probability)).toBeLessThan(
        4 * deviation + 0.002,
      );
    }
  });

  test('the input is read once, and what a conversation has in memory stays', async () => {
    const question = { type: 'predicate', instructions: 'It is about money.' };
    const long = `${INPUT} `.repeat(20);
    const CHAT = { messages: [{ role: 'user', content: `Hi ${long}` }], max_tokens: 1 };
    const cachedOf = async () =>
      (await post<ChatBody>('/chat/completions', CHAT)).usage?.prompt_tokens_details?.cached_tokens;
    await cachedOf();
    const ask = async (count: number, input: string) =>
      (await decisionOf({ input, questions: Array.from({ length: count }, () => question) })).usage;
    const one = await ask(1, `1 ${long}`);
    const four = await ask(4, `4 ${long}`);
    // Each reading of a question is a few dozen tokens; the input has more than a hundred.
    expect(one.input_tokens).toBeGreaterThan(150);
    expect(four.input_tokens - one.input_tokens).toBeLessThan(6 * 50);
    const again = await ask(1, `4 ${long}`);
    expect(again.input_tokens_details.cached_tokens).toBeGreaterThan(150);
    expect(await cachedOf()).toBeGreaterThan(150);
  });

  test('a chat is answered between two questions', async () => {
    // Other requests may take a turn after a second, and a fast machine reads all questions in less.
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
    onTestFinished(() => void vi.restoreAllMocks());
    const order: string[] = [];
    const questions = Array.from({ length: 50 }, () => choiceOf(CHOICES)).map((each, at) => ({
      ...each,
      name: `q${at}`,
    }));
    const deciding = decisionOf({ input: INPUT, questions }).then(() => order.push('decided'));
    const chat = post('/chat/completions', {
      messages: [{ role: 'user', content: 'Hi' }],
      max_tokens: 1,
    }).then(() => order.push('answered'));
    await Promise.all([deciding, chat]);
    expect(order).toEqual(['answered', 'decided']);
  });

  test('an input or a question that is too long is named', async () => {
    const question = { type: 'predicate', instructions: 'It is about money.' };
    const long = 'word '.repeat(3_000);
    const api = await openApi({ via: () => engine });
    const faults = [
      [{ input: long, questions: [question] }, 'input'],
      [
        { input: INPUT, questions: [question, { ...question, instructions: long }] },
        'questions[1]',
      ],
    ] as const;
    for (const [body, param] of faults) {
      const error = await errorOf(await api.post('/decisions', { model: MODEL, ...body }));
      expect(error).toMatchObject({ status: 400, code: 'context_length_exceeded', param });
    }
  });
});
