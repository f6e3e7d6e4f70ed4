import { expect, test, TINY } from './support/fixtures.ts';

/** Status and error body of what the openai package throws. */
interface Failure {
  status: number | undefined;
  error: unknown;
}

test('a wrong key, an unknown model and unsupported features are told apart', async ({ ready }) => {
  const failures = await ready.evaluate(async (model) => {
    const messages = [{ role: 'user' as const, content: 'Hello!' }];
    const attempt = async (work: () => Promise<unknown>): Promise<Failure> => {
      try {
        await work();
      } catch (error) {
        if (error instanceof window.OpenAI.APIError) {
          return { status: error.status as number, error: error.error };
        }
      }
      return { status: undefined, error: undefined };
    };
    const stranger = new window.OpenAI({
      baseURL: window.v1.baseURL,
      apiKey: `sk-slashv1-${'x'.repeat(43)}`,
      dangerouslyAllowBrowser: true,
    });
    const { completions } = window.client.chat;
    return [
      await attempt(() => stranger.models.list()),
      await attempt(() => completions.create({ model: 'nobody/nothing', messages })),
      await attempt(() => completions.create({ model, messages, n: 2, stream: true })),
      await attempt(() => completions.create({ model, messages: [] })),
    ];
  }, TINY);
  expect(failures).toMatchObject([
    { status: 401, error: { code: 'invalid_api_key', param: null } },
    { status: 404, error: { code: 'model_not_found', param: 'model' } },
    { status: 400, error: { code: 'unsupported_value', param: 'n' } },
    { status: 400, error: { code: 'empty_array', param: 'messages' } },
  ]);
});

test('broken JSON is a 400 that says so', async ({ ready }) => {
  const answer = await ready.evaluate(async () => {
    const response = await fetch(`${window.v1.baseURL}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${window.v1.apiKey}` },
      body: '{"model":',
    });
    return { status: response.status, body: (await response.json()) as unknown };
  });
  expect(answer).toMatchObject({
    status: 400,
    body: { error: { type: 'invalid_request_error', param: null, code: null } },
  });
});

test('a prompt longer than the context is refused before the stream starts', async ({ ready }) => {
  const failures = await ready.evaluate(async (model) => {
    const failure = async (asked: PromiseLike<unknown>) => {
      try {
        await asked;
      } catch (error) {
        if (error instanceof window.OpenAI.APIError) {
          return [error.status as number, error.code, error.param];
        }
      }
      return [];
    };
    const prompt = 'word '.repeat(3000);
    const messages = [{ role: 'user' as const, content: prompt }];
    const { chat, completions } = window.client;
    return [
      await failure(chat.completions.create({ model, messages, stream: true })),
      await failure(completions.create({ model, prompt, stream: true })),
      await failure(completions.create({ model, prompt: 'é#'.repeat(1_000_000) })),
    ];
  }, TINY);
  expect(failures).toEqual([
    [400, 'context_length_exceeded', 'messages'],
    [400, 'context_length_exceeded', 'prompt'],
    [400, 'context_length_exceeded', 'prompt'],
  ]);
});

for (const [what, length] of [
  ['too many tokens to be gathered', 300_000],
  ['more text than could ever fit', 5_000_000],
] as const) {
  test(`a prompt of ${what} is refused, and the engine stays as it is`, async ({ ready }) => {
    const results = await ready.evaluate(
      async ([model, characters]) => {
        const ask = async (content: string) => {
          const messages = [{ role: 'user' as const, content }];
          try {
            const { choices } = await window.client.chat.completions.create({ model, messages });
            return choices[0]?.message.content;
          } catch (error) {
            return error instanceof window.OpenAI.APIError ? error.code : String(error);
          }
        };
        return [await ask('é#'.repeat(characters / 2)), await ask('Hello!')];
      },
      [TINY, length] as const,
    );
    expect(results).toEqual(['context_length_exceeded', 'Hello! How can I help you?']);
  });
}

test('keys are made, restricted and revoked', async ({ ready }) => {
  const statuses = await ready.evaluate(async () => {
    const list = async (apiKey: string) => {
      const response = await fetch(`${window.v1.baseURL}/models`, {
        headers: { authorization: `Bearer ${apiKey}` },
      });
      const { data } = (await response.json()) as { data?: unknown[] };
      return [response.status, data?.length];
    };
    const key = await window.v1.keys.create({ label: 'guest', models: ['nobody/nothing'] });
    const allowed = await list(key);
    const labels = (await window.v1.keys.list()).map(({ label }) => label);
    await window.v1.keys.revoke(key);
    return { allowed, revoked: await list(key), labels };
  });
  expect(statuses.allowed).toEqual([200, 0]);
  expect(statuses.labels).toContain('guest');
  expect(statuses.revoked).toEqual([401, undefined]);
});
