import { describe, expect, test } from 'vitest';
import { serverError } from '../../../src/core/errors/errors.ts';
import { MODEL, openApi } from '../support/api.ts';
import { chunksOf, json } from '../support/read.ts';
import { problems } from '../support/openai-schema.ts';
import { hasSharedFixtures } from '../support/shared-fixtures.ts';
import { finish, text } from '../support/test-engine.ts';

const CHAT = { model: MODEL, messages: [{ role: 'user', content: 'Hi' }] };
const COMPLETION = { model: MODEL, prompt: 'Hi' };
const STREAM = { stream: true, stream_options: { include_usage: true } };

describe.skipIf(!hasSharedFixtures)('OpenAI’s published description holds for', () => {
  test('a chat completion', async () => {
    const api = await openApi();
    const body = await json(await api.post('/chat/completions', CHAT));
    expect(problems('CreateChatCompletionResponse', body)).toBe('');
  });

  test('every chunk of a streamed one', async () => {
    const api = await openApi();
    api.engine.next(text('a'), text('b'), finish('length'));
    const chunks = await chunksOf(await api.post('/chat/completions', { ...CHAT, ...STREAM }));
    expect(chunks).toHaveLength(5);
    for (const chunk of chunks) {
      expect(problems('CreateChatCompletionStreamResponse', chunk)).toBe('');
    }
  });

  test('a text completion', async () => {
    const api = await openApi();
    const body = await json(await api.post('/completions', COMPLETION));
    expect(problems('CreateCompletionResponse', body)).toBe('');
  });

  test('every chunk of a streamed one, except that only the last one has a reason', async () => {
    const api = await openApi();
    const response = await api.post('/completions', { ...COMPLETION, ...STREAM });
    const chunks = await chunksOf<{ choices: { finish_reason: unknown }[]; usage: unknown }>(
      response,
    );
    for (const { usage, ...chunk } of chunks) {
      // The description has no streamed answers.
      const choices = chunk.choices.map((it) => ({
        ...it,
        finish_reason: it.finish_reason ?? 'stop',
      }));
      const whole = { ...chunk, choices, ...(usage !== null && { usage }) };
      expect(problems('CreateCompletionResponse', whole)).toBe('');
    }
  });

  test('the list of models and each model', async () => {
    const api = await openApi();
    const list = await json<{ data: unknown[] }>(await api.fetch('/models'));
    expect(problems('ListModelsResponse', list)).toBe('');
    for (const model of list.data) expect(problems('Model', model)).toBe('');
  });

  test('errors of every kind', async () => {
    const api = await openApi();
    api.engine.next(serverError('timeout', 'No.'));
    const responses = [
      await api.post('/chat/completions', CHAT),
      await api.post('/chat/completions', '{'),
      await api.post('/chat/completions', { ...CHAT, functions: [] }),
      await api.fetch('/models', { headers: {} }),
      await api.fetch('/models', { method: 'PUT' }),
      await api.fetch('/x'),
    ];
    expect(responses.map(({ status }) => status)).toEqual([500, 400, 400, 401, 405, 404]);
    for (const response of responses) {
      expect(problems('ErrorResponse', await json(response))).toBe('');
    }
  });

  test('but not an answer with a missing field: the validator works', () => {
    expect(problems('ErrorResponse', { error: { message: 'x' } })).not.toBe('');
    expect(problems('CreateChatCompletionResponse', {})).not.toBe('');
  });
});
