import type { Page } from 'playwright/test';
import { complete, type ChatRequest } from '../support/chat.ts';
import { askDirectly } from '../support/sites/direct.ts';
import { expect, openStarted, test, TINY } from '../support/fixtures.ts';
import { user } from '../support/prompts.ts';

interface Message {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

interface Answer {
  text: string;
  prompt: number;
  cached: number;
  completion: number;
}

const assistant = (content: string): Message => ({ role: 'assistant', content });

/** A greedy answer and its numbers of tokens; `cached` tokens of the prompt were in the KV cache. */
async function ask(page: Page, messages: Message[], rest: ChatRequest = {}): Promise<Answer> {
  const { choices, usage } = await complete(page, { messages, temperature: 0, ...rest });
  return {
    text: choices[0]?.message.content ?? '',
    prompt: usage?.prompt_tokens ?? 0,
    cached: usage?.prompt_tokens_details?.cached_tokens ?? 0,
    completion: usage?.completion_tokens ?? 0,
  };
}

/** The prompt of a conversation, by tiny-chat's template. */
function rendered(messages: readonly Message[]): string {
  const past = messages.map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`);
  return `${past.join('')}<|im_start|>assistant\n`;
}

/** The answer of WebLLM alone to a conversation, which it gets as the turns that it can reuse. */
async function askWebLlm(page: Page, pack: string, messages: readonly Message[]) {
  const turns: string[] = [];
  let read = 0;
  for (const [place, { role, content }] of messages.entries()) {
    if (role !== 'assistant') continue;
    turns.push(rendered(messages.slice(0, place)).slice(read), content);
    read = turns.join('').length;
  }
  turns.push(rendered(messages).slice(read));
  const { pieces, promptTokens } = await askDirectly(page, { pack, turns, maxTokens: 60, top: 0 });
  return { text: pieces.join(''), promptTokens };
}

const CLIENTS = [
  { name: 'Ann', questions: ['What is my name?', 'What is the capital of France?', 'Count to 7.'] },
  { name: 'Bob', questions: ['What is the capital of Italy?', 'What is my name?', 'Count to 6.'] },
];

test('two clients that take turns prefill at most a quarter of what they would with WebLLM', async ({
  fresh,
  site,
}) => {
  test.setTimeout(300_000);
  const page = await openStarted(fresh, site.url, { model: TINY });
  const pack = `${site.url}packs/tiny-chat/`;
  const system: Message = { role: 'system', content: 'You are a helpful assistant.' };
  const conversations = CLIENTS.map(({ name, questions }) => ({
    messages: [system, user(`My name is ${name}.`)],
    questions: [...questions, ...questions.toReversed()],
    /** Tokens of it that have been prefilled or written so far. */
    known: 0,
  }));
  const prefilled = { v1: 0, webLlm: 0, again: 0 };
  for (let turn = 0; turn <= 6; turn++) {
    for (const conversation of conversations) {
      const { messages, questions, known } = conversation;
      const answer = await ask(page, messages);
      const direct = await askWebLlm(page, pack, messages);
      expect(answer.text).toBe(direct.text);
      // The other client asked before, so WebLLM has prefilled the whole conversation.
      expect(direct.promptTokens).toBe(answer.prompt);
      prefilled.webLlm += direct.promptTokens;
      prefilled.v1 += answer.prompt - answer.cached;
      prefilled.again += Math.max(0, known - answer.cached);
      // The model writes the token that ends an answer, but does not read it.
      conversation.known = answer.prompt + answer.completion - 1;
      messages.push(assistant(answer.text), user(questions[turn] ?? ''));
    }
  }
  expect(prefilled.v1 / prefilled.webLlm).toBeLessThanOrEqual(0.25);
  expect(prefilled.again).toBe(0);
});

test.describe('a prompt whose beginning is in the KV cache gets the same answer as without a cache', () => {
  const OPENING = user('My name is Carol.');

  /** Asks, and compares the answer with that of WebLLM, which prefills the whole prompt. */
  async function askBoth(page: Page, base: string, messages: Message[]): Promise<Answer> {
    const answer = await ask(page, messages);
    const direct = await askDirectly(page, {
      pack: `${base}packs/tiny-chat/`,
      turns: [rendered(messages)],
      maxTokens: 60,
      top: 0,
    });
    expect(answer.text).toBe(direct.pieces.join(''));
    expect(answer.prompt).toBe(direct.promptTokens);
    return answer;
  }

  test('when it is asked again', async ({ ready, site }) => {
    const messages = [user('What is the capital of Portugal?')];
    await ask(ready, messages);
    const again = await askBoth(ready, site.url, messages);
    expect(again.cached).toBe(again.prompt - 1);
  });

  test('with another last message', async ({ ready, site }) => {
    const first = await ask(ready, [OPENING]);
    const history = [OPENING, assistant(first.text)];
    await ask(ready, [...history, user('Count to 5.')]);
    const edited = await askBoth(ready, site.url, [...history, user('What is my name?')]);
    expect(edited.text).toContain('Carol');
    expect(edited.cached).toBeGreaterThanOrEqual(first.prompt + first.completion - 1);
    // Only the new text and the control tokens around it are prefilled.
    expect(edited.prompt - edited.cached).toBeLessThan(15);
  });

  test('after an answer that max_tokens cut', async ({ ready, site }) => {
    const question = user('Count to 15.');
    const cut = await ask(ready, [question], { max_tokens: 7 });
    const next = [question, assistant(cut.text), user('What is the capital of Spain?')];
    const { cached } = await askBoth(ready, site.url, next);
    // The model wrote the last token, but did not read it.
    expect(cached).toBe(cut.prompt + cut.completion - 1);
  });

  test('after an answer that a stop string cut', async ({ ready, site }) => {
    const question = user('Count to 12.');
    const stopped = await ask(ready, [question], { stop: ['6'] });
    expect(stopped.text).toBe('1 2 3 4 5 ');
    const next = [question, assistant(stopped.text), user('What is the capital of Spain?')];
    const { cached } = await askBoth(ready, site.url, next);
    expect(cached).toBeGreaterThanOrEqual(stopped.prompt);
  });

  test('after a stream that its client aborted', async ({ ready, site }) => {
    const messages = [user('Count to 18.')];
    await ready.evaluate(
      async (request) => {
        const stream = await window.client.chat.completions.create({ ...request, stream: true });
        for await (const { choices } of stream) if (choices[0]?.delta.content) break;
      },
      { model: TINY, messages, temperature: 0 },
    );
    const { prompt, cached } = await askBoth(ready, site.url, messages);
    expect(cached).toBe(prompt - 1);
  });

  test('when the prompt leaves out the thoughts of an earlier answer', async ({ ready, site }) => {
    const thinking = { chat_template_kwargs: { enable_thinking: true } };
    const question = user('What is the capital of Norway?');
    const first = await ask(ready, [question], thinking);
    const next = [question, assistant(first.text), user('What is the capital of Japan?')];
    const second = await ask(ready, next, thinking);
    const direct = await askDirectly(ready, {
      pack: `${site.url}packs/tiny-chat/`,
      turns: [`${rendered(next)}<think>\n`],
      maxTokens: 60,
      top: 0,
    });
    expect(direct.pieces.join('').split('</think>\n\n')[1]).toBe(second.text);
    // The cache has all of the first prompt, except the tokens that open the thinking.
    expect(second.cached).toBeGreaterThanOrEqual(first.prompt - 2);
  });
});

test('if the memory budget has no room for a second KV cache, conversations share one', async ({
  fresh,
  site,
}) => {
  // The model counts as about 5 MB with one cache; another one takes more than 2 MB.
  const page = await openStarted(fresh, site.url, { model: TINY, memoryBudget: 7e6 });
  const [ann, bob] = [user('My name is Ann.'), user('Count to 5.')];
  const first = await ask(page, [ann]);
  await ask(page, [bob]);
  const second = await ask(page, [ann, assistant(first.text), user('What is my name?')]);
  expect(second.text).toContain('Ann');
  expect(second.cached).toBeLessThan(first.prompt);
});
