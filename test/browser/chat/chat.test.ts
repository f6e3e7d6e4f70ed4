import { chunksOf, complete, say } from '../support/chat.ts';
import { expect, test, TINY } from '../support/fixtures.ts';
import { GREETING, PARIS, user } from '../support/prompts.ts';

const capital = (country: string) => ({
  model: TINY,
  messages: [user(`What is the capital of ${country}?`)],
  temperature: 0,
});

test('a chat completion comes in one piece', async ({ ready, engine }) => {
  const completion = await complete(ready, capital('France'));
  expect(completion).toMatchObject({
    id: expect.stringMatching(/^chatcmpl-/),
    object: 'chat.completion',
    model: TINY,
    system_fingerprint: expect.stringMatching(`-${engine}$`),
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', content: PARIS },
      },
    ],
  });
  const { prompt_tokens, completion_tokens, total_tokens } = completion.usage ?? {};
  expect(prompt_tokens).toBeGreaterThan(5);
  expect(total_tokens).toBe((prompt_tokens ?? 0) + (completion_tokens ?? 0));
});

test('a streamed chat completion has the same text, in pieces', async ({ ready }) => {
  const chunks = await chunksOf(ready, {
    ...capital('France'),
    stream_options: { include_usage: true },
  });
  const pieces = chunks.flatMap((chunk) => chunk.choices[0]?.delta.content ?? []);
  expect(pieces.join('')).toBe(PARIS);
  expect(pieces.length).toBeGreaterThan(4);
  expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' });
  expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
  // Each piece is one token, and one more token ends the turn.
  const completion_tokens = pieces.filter((piece) => piece !== '').length + 1;
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens } });
  expect(new Set(chunks.map(({ id, created, model }) => `${id} ${created} ${model}`)).size).toBe(1);
});

test('the .stream() helper of the openai package assembles the message', async ({ ready }) => {
  const message = await ready.evaluate(
    (request) => window.client.chat.completions.stream(request).finalMessage(),
    capital('Italy'),
  );
  expect(message).toMatchObject({ role: 'assistant', content: 'The capital of Italy is Rome.' });
});

test('a raw text completion has the same text in one piece and streamed', async ({ ready }) => {
  const prompt = '<|im_start|>user\nHello!<|im_end|>\n<|im_start|>assistant\n';
  const [whole, streamed] = await ready.evaluate(
    async ([model, text]) => {
      const request = { model, prompt: text, temperature: 0 };
      const completion = await window.client.completions.create(request);
      const stream = await window.client.completions.create({ ...request, stream: true });
      return [completion, await Array.fromAsync(stream)] as const;
    },
    [TINY, prompt] as const,
  );
  expect(whole).toMatchObject({
    object: 'text_completion',
    choices: [{ text: GREETING, index: 0, finish_reason: 'stop' }],
  });
  const text = streamed.map((chunk) => chunk.choices[0]?.text ?? '').join('');
  expect(text).toBe(GREETING);
});

test('max_tokens cuts the answer, with finish_reason length', async ({ ready }) => {
  const { choices, usage } = await complete(ready, { ...capital('Spain'), max_tokens: 3 });
  expect(choices[0]?.finish_reason).toBe('length');
  expect(usage?.completion_tokens).toBe(3);
});

test('a stop string ends the answer and is not part of it', async ({ ready }) => {
  const { choices } = await complete(ready, {
    messages: [user('Count to 20.')],
    temperature: 0,
    stop: ['0 1', ' 12'],
  });
  expect(choices[0]).toMatchObject({
    finish_reason: 'stop',
    message: { content: '1 2 3 4 5 6 7 8 9 1' },
  });
});

test('the same seed gives the same text, another seed another text', async ({ ready }) => {
  const story = 'Tell me a story about a brave cat.';
  const write = (seed: number) => say(ready, story, { temperature: 2, max_tokens: 12, seed });
  const first = await write(7);
  expect(await write(7)).toBe(first);
  expect(await write(8)).not.toBe(first);
});

test('logit_bias forbids a token', async ({ ready }) => {
  const plain = await complete(ready, capital('Japan'));
  expect(plain.choices[0]?.message.content).toBe('The capital of Japan is Tokyo.');
  // The tokens 3 to 511; the usual answer needs some of them.
  const logit_bias = Object.fromEntries(
    Array.from({ length: 512 - 3 }, (_, index) => [String(index + 3), -100]),
  );
  const biased = await complete(ready, { ...capital('Japan'), logit_bias, max_tokens: 4 });
  expect(biased.choices[0]?.message.content).not.toContain('The');
});

test('a follow-up turn prefills only its new text', async ({ ready }) => {
  const opening = [user('My name is Ann.')];
  const first = await complete(ready, { messages: opening, temperature: 0 });
  const content = first.choices[0]?.message.content ?? '';
  const messages = [...opening, { role: 'assistant' as const, content }, user('What is my name?')];
  const second = await complete(ready, { messages, temperature: 0 });
  expect(second.choices[0]?.message.content).toBe('Your name is Ann.');
  const cached = second.usage?.prompt_tokens_details?.cached_tokens ?? 0;
  // The KV cache has all of the first prompt and answer, except the token that ended the turn.
  expect(cached).toBe((first.usage?.total_tokens ?? 0) - 1);
  expect(second.usage?.prompt_tokens).toBeGreaterThan(cached);
});

test('two requests at once are both answered', async ({ ready }) => {
  const requests = [capital('France'), capital('Germany')];
  const answers = await Promise.all(requests.map((request) => complete(ready, request)));
  const texts = answers.map(({ choices }) => choices[0]?.message.content);
  expect(texts).toEqual([PARIS, 'The capital of Germany is Berlin.']);
});

test('models are listed, and a single one is retrieved with its limits and modalities', async ({
  ready,
  engine,
}) => {
  const [list, one] = await ready.evaluate(async (model) => {
    const { data } = await window.client.models.list();
    return [data, await window.client.models.retrieve(model)] as const;
  }, TINY);
  expect(list.map(({ id }) => id)).toContain(TINY);
  expect(one).toMatchObject({
    id: TINY,
    object: 'model',
    context_length: 2048,
    quantization: engine === 'webllm' ? 'int4' : 'fp32',
    pricing: { prompt: '0', completion: '0' },
    input_modalities: ['text'],
  });
});
