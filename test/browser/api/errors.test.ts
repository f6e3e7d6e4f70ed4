import { refusal, say } from '../support/chat.ts';
import { expect, test, TINY } from '../support/fixtures.ts';
import { GREETING, user } from '../support/prompts.ts';

test('a wrong key, an unknown model and unsupported features have errors of their own', async ({
  ready,
}) => {
  const stranger = await ready.evaluate(() => {
    const { baseURL } = window.v1;
    const apiKey = `sk-slashv1-${'x'.repeat(43)}`;
    const client = new window.OpenAI({ baseURL, apiKey, dangerouslyAllowBrowser: true });
    return window.refusalOf(client.models.list());
  });
  expect(stranger).toMatchObject({ status: 401, code: 'invalid_api_key', param: null });
  expect(await refusal(ready, { model: 'nobody/nothing' })).toMatchObject({
    status: 404,
    code: 'model_not_found',
    param: 'model',
  });
  expect(await refusal(ready, { functions: [{ name: 'f' }] }, true)).toMatchObject({
    status: 400,
    code: 'unsupported_value',
    param: 'functions',
  });
  expect(await refusal(ready, { messages: [] })).toMatchObject({
    status: 400,
    code: 'empty_array',
    param: 'messages',
  });
});

test('a body that is not valid JSON gets a 400', async ({ ready }) => {
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
  const long = 'word '.repeat(3000);
  expect(await refusal(ready, { messages: [user(long)] }, true)).toMatchObject({
    status: 400,
    code: 'context_length_exceeded',
    param: 'messages',
  });
  for (const body of [
    { model: TINY, prompt: long, stream: true },
    { model: TINY, prompt: 'é#'.repeat(1_000_000) },
  ]) {
    const refused = ready.evaluate(
      (request) => window.refusalOf(window.client.completions.create(request)),
      body,
    );
    expect(await refused).toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
      param: 'prompt',
    });
  }
});

for (const [what, length] of [
  ['more tokens than fit', 300_000],
  ['more text than could ever fit', 5_000_000],
] as const) {
  test(`a prompt of ${what} is refused, and the next request is answered`, async ({ ready }) => {
    const content = 'é#'.repeat(length / 2);
    expect(await refusal(ready, { messages: [user(content)] })).toMatchObject({
      code: 'context_length_exceeded',
    });
    expect(await say(ready, 'Hello!')).toBe(GREETING);
  });
}

test('a new key works for its models only, and not after it is revoked', async ({ ready }) => {
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
