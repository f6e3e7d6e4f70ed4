import { expect, test, vi } from 'vitest';
import type { TokensJob } from '../../../../src/core/operations/jobs/jobs.ts';
import { chatJob, openEngine } from '../../support/servers/engine-site.ts';
import { FakeMlcEngine, token } from '../../support/fakes/fake-mlc-engine.ts';
import { encode, FakePipeline } from '../../support/fakes/fake-pipeline.ts';
import { NEVER } from '../../support/never.ts';

vi.mock('@mlc-ai/web-llm', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  MLCEngine: (await import('../../support/fakes/fake-mlc-engine.ts')).FakeMlcEngine,
}));

/** An engine whose tokens are characters. */
async function open() {
  vi.stubGlobal('GPUBufferUsage', { STORAGE: 128 });
  const site = await openEngine();
  FakeMlcEngine.last.pipelines.set('model', new FakePipeline());
  const tokens = async (of: TokensJob['of'], rest: Partial<TokensJob> = {}) => {
    const job: TokensJob = { op: 'tokens', model: 'a', of, ...rest };
    return (await Array.fromAsync(site.engine.run(job, NEVER)))[0];
  };
  return { ...site, tokens };
}

test('a prompt has the tokens that the model would read', async () => {
  const { engine, tokens } = await open();
  const job = chatJob('a', 'Hi');
  const counted = await tokens(job.prompt);
  await Array.fromAsync(engine.run(job, NEVER));
  const read = FakeMlcEngine.last.requests.at(-1)?.messages.at(-1)?.content;
  expect(counted).toMatchObject({ type: 'tokens', text: read, contextLength: 2048 });
  expect(counted?.ids).toEqual(encode(counted?.text ?? ''));
});

test('tools are part of a prompt unless the model may not call them', async () => {
  const { tokens } = await open();
  const { prompt } = chatJob('a', 'Hi');
  const tools = [{ name: 'get_weather', parameters: {} }];
  const offer = { tools, choice: 'auto' as const, parallel: true };
  expect((await tokens(prompt, { tools: offer }))?.text).toContain('get_weather');
  const none = { ...offer, choice: 'none' as const };
  expect((await tokens(prompt, { tools: none }))?.text).not.toContain('get_weather');
});

test('tokens become text again, and each a piece of it', async () => {
  const { tokens } = await open();
  expect(await tokens({ kind: 'tokens', ids: encode('Hi') }, { pieces: true })).toMatchObject({
    ids: encode('Hi'),
    text: 'Hi',
    pieces: ['H', 'i'],
  });
});

test('an id of no token is named', async () => {
  const { tokens } = await open();
  await expect(tokens({ kind: 'tokens', ids: [1, 5000] })).rejects.toMatchObject({
    data: { status: 400, param: 'tokens[1]' },
  });
});

test('a prompt that is hopelessly long is refused', async () => {
  const { tokens } = await open();
  await expect(tokens({ kind: 'raw', text: 'x'.repeat(1_000_000) })).rejects.toMatchObject({
    data: { status: 400, code: 'context_length_exceeded' },
  });
});

test('tokens are counted while the model writes an answer', async () => {
  const { engine, tokens } = await open();
  await Array.fromAsync(engine.run({ op: 'load', model: 'a' }, NEVER));
  const { promise, resolve } = Promise.withResolvers<void>();
  FakeMlcEngine.last.generate = async function* () {
    yield token('Hello');
    await promise;
  };
  let counted: number | undefined;
  for await (const { type } of engine.run(chatJob('a', 'Hi'), NEVER)) {
    if (type !== 'text') continue;
    counted = (await tokens({ kind: 'raw', text: 'Hi' }))?.ids.length;
    resolve();
  }
  expect(counted).toBe(2);
});
