import { expect, test, TINY } from './support/fixtures.ts';

const capital = (country: string) => ({
  model: TINY,
  messages: [{ role: 'user' as const, content: `What is the capital of ${country}?` }],
  temperature: 0,
});

test('a chat completion, in one piece', async ({ ready }) => {
  const completion = await ready.evaluate(
    (request) => window.client.chat.completions.create(request),
    capital('France'),
  );
  expect(completion).toMatchObject({
    id: expect.stringMatching(/^chatcmpl-/),
    object: 'chat.completion',
    model: TINY,
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', content: 'The capital of France is Paris.' },
      },
    ],
  });
  const { prompt_tokens, completion_tokens, total_tokens } = completion.usage ?? {};
  expect(prompt_tokens).toBeGreaterThan(5);
  expect(total_tokens).toBe((prompt_tokens ?? 0) + (completion_tokens ?? 0));
});

test('a streamed chat completion says the same, piece by piece', async ({ ready }) => {
  const chunks = await ready.evaluate(async (request) => {
    const stream = await window.client.chat.completions.create({
      ...request,
      stream: true,
      stream_options: { include_usage: true },
    });
    return Array.fromAsync(stream);
  }, capital('France'));
  const pieces = chunks.flatMap((chunk) => chunk.choices[0]?.delta.content ?? []);
  expect(pieces.join('')).toBe('The capital of France is Paris.');
  expect(pieces.length).toBeGreaterThan(4);
  expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' });
  expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
  // A token a piece, and the one that ends the turn.
  const completion_tokens = pieces.filter((piece) => piece !== '').length + 1;
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens } });
  expect(new Set(chunks.map(({ id, created, model }) => `${id} ${created} ${model}`)).size).toBe(1);
});

test('the .stream() helper gathers the message', async ({ ready }) => {
  const message = await ready.evaluate(
    (request) => window.client.chat.completions.stream(request).finalMessage(),
    capital('Italy'),
  );
  expect(message).toMatchObject({ role: 'assistant', content: 'The capital of Italy is Rome.' });
});

test('a raw text completion, in one piece and streamed', async ({ ready }) => {
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
    choices: [{ text: 'Hello! How can I help you?', index: 0, finish_reason: 'stop' }],
  });
  const text = streamed.map((chunk) => chunk.choices[0]?.text ?? '').join('');
  expect(text).toBe('Hello! How can I help you?');
});

test('max_tokens cuts the answer and says so', async ({ ready }) => {
  const { choices, usage } = await ready.evaluate(
    (request) => window.client.chat.completions.create({ ...request, max_tokens: 3 }),
    capital('Spain'),
  );
  expect(choices[0]?.finish_reason).toBe('length');
  expect(usage?.completion_tokens).toBe(3);
});

test('a stop string ends the answer and is not in it', async ({ ready }) => {
  const { choices } = await ready.evaluate(
    (model) =>
      window.client.chat.completions.create({
        model,
        messages: [{ role: 'user', content: 'Count to 20.' }],
        temperature: 0,
        stop: ['0 1', ' 12'],
      }),
    TINY,
  );
  expect(choices[0]).toMatchObject({
    finish_reason: 'stop',
    message: { content: '1 2 3 4 5 6 7 8 9 1' },
  });
});

test('the same seed gives the same text, another seed another', async ({ ready }) => {
  const texts = await ready.evaluate(async (model) => {
    const write = async (seed: number) => {
      const { choices } = await window.client.chat.completions.create({
        model,
        messages: [{ role: 'user', content: 'Tell me a story about a brave cat.' }],
        temperature: 2,
        max_tokens: 12,
        seed,
      });
      return choices[0]?.message.content;
    };
    return [await write(7), await write(7), await write(8)];
  }, TINY);
  expect(texts[0]).toBe(texts[1]);
  expect(texts[2]).not.toBe(texts[0]);
});

test('logit_bias forbids a token', async ({ ready }) => {
  const texts = await ready.evaluate(async (request) => {
    const plain = await window.client.chat.completions.create(request);
    // Every token of the vocabulary below 512 but the end: the usual answer is out of reach.
    const logit_bias = Object.fromEntries(
      Array.from({ length: 512 - 3 }, (_, index) => [String(index + 3), -100]),
    );
    const biased = await window.client.chat.completions.create({
      ...request,
      logit_bias,
      max_tokens: 4,
    });
    return [plain, biased].map(({ choices }) => choices[0]?.message.content);
  }, capital('Japan'));
  expect(texts[0]).toBe('The capital of Japan is Tokyo.');
  expect(texts[1]).not.toContain('The');
});

test('a follow-up turn prefills only what is new', async ({ ready }) => {
  const [first, second] = await ready.evaluate(async (model) => {
    const messages: { role: 'user' | 'assistant'; content: string }[] = [
      { role: 'user', content: 'My name is Ann.' },
    ];
    const one = await window.client.chat.completions.create({ model, messages, temperature: 0 });
    messages.push(
      { role: 'assistant', content: one.choices[0]?.message.content ?? '' },
      { role: 'user', content: 'What is my name?' },
    );
    const two = await window.client.chat.completions.create({ model, messages, temperature: 0 });
    return [one, two] as const;
  }, TINY);
  expect(second.choices[0]?.message.content).toBe('Your name is Ann.');
  const cached = second.usage?.prompt_tokens_details?.cached_tokens ?? 0;
  // All of the first prompt and answer; the token that ended the turn is not in the KV cache.
  expect(cached).toBe((first.usage?.total_tokens ?? 0) - 1);
  expect(second.usage?.prompt_tokens).toBeGreaterThan(cached);
});

test('two requests at once are both answered', async ({ ready }) => {
  const answers = await ready.evaluate(
    async (requests) => {
      const completions = await Promise.all(
        requests.map((request) => window.client.chat.completions.create(request)),
      );
      return completions.map(({ choices }) => choices[0]?.message.content);
    },
    [capital('France'), capital('Germany')],
  );
  expect(answers).toEqual(['The capital of France is Paris.', 'The capital of Germany is Berlin.']);
});

test('models are listed and retrieved, with what they can do', async ({ ready }) => {
  const [list, one] = await ready.evaluate(async (model) => {
    const { data } = await window.client.models.list();
    return [data, await window.client.models.retrieve(model)] as const;
  }, TINY);
  expect(list.map(({ id }) => id)).toContain(TINY);
  expect(one).toMatchObject({
    id: TINY,
    object: 'model',
    context_length: 2048,
    quantization: 'int4',
    pricing: { prompt: '0', completion: '0' },
    input_modalities: ['text'],
  });
});
