import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createKey } from '../../../src/core/keys/key-format.ts';
import { VERSION } from '../../../src/core/version.ts';
import {
  HUB_MODEL,
  MODEL,
  openApi,
  SPEECH_MODEL,
  UNINSTALLED_SPEECH_MODEL,
} from '../support/api.ts';
import { errorOf, json } from '../support/read.ts';
import { apiError, HANG, text } from '../support/test-engine.ts';

const CHAT = { model: MODEL, messages: [{ role: 'user', content: 'Hi' }] };

describe('GET /v1/health', () => {
  test('needs no key, and tells the version and the models in memory', async () => {
    const api = await openApi();
    api.engine.progress.push(
      { model: MODEL, stage: 'ready', loadedBytes: 1, totalBytes: 1, text: '' },
      { model: HUB_MODEL, stage: 'unloaded', loadedBytes: 0, totalBytes: 0, text: '' },
    );
    const response = await api.fetch('/health', { headers: {} });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ok', version: VERSION, models: [MODEL] });
  });

  test('is 503 if no page runs the engine', async () => {
    const gone = { run: () => Promise.reject(apiError(500, 'server_error', 'engine_error')) };
    const api = await openApi({ via: () => gone });
    const error = await errorOf(await api.fetch('/health', { headers: {} }));
    expect(error).toMatchObject({ status: 503, type: 'server_error', code: 'engine_error' });
  });

  test('is 503 within seconds if the engine hangs', async () => {
    const api = await openApi({ via: () => ({ run: () => HANG }) });
    expect((await api.fetch('/health', { headers: {} })).status).toBe(503);
  });
});

describe('GET /v1/metrics', () => {
  test('counts requests, tokens and seconds to the first token for each model, in Prometheus’ format', async () => {
    const api = await openApi();
    await (await api.post('/chat/completions', CHAT)).text();
    api.engine.next(text('Hel'), apiError(500, 'server_error', 'engine_error'));
    await (await api.post('/chat/completions', CHAT)).text().catch(() => undefined);
    const response = await api.fetch('/metrics');
    expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    const lines = (await response.text()).split('\n');
    expect(lines).toContain('# TYPE slashv1_requests_total counter');
    expect(lines).toContain(`slashv1_requests_total{model="${MODEL}",outcome="answered"} 1`);
    expect(lines).toContain(`slashv1_requests_total{model="${MODEL}",outcome="failed"} 1`);
    expect(lines).toContain(`slashv1_prompt_tokens_total{model="${MODEL}"} 7`);
    expect(lines).toContain(`slashv1_cached_tokens_total{model="${MODEL}"} 2`);
    expect(lines).toContain(`slashv1_generated_tokens_total{model="${MODEL}"} 3`);
    expect(lines).toContain(`slashv1_requests_waiting{model="${MODEL}"} 0`);
    expect(lines).toContain(`slashv1_requests_running{model="${MODEL}"} 0`);
    expect(lines).toContain(`slashv1_time_to_first_token_seconds_count{model="${MODEL}"} 2`);
    // The metrics contain nothing of prompts and answers.
    expect(lines.join('\n')).not.toMatch(/Hello|Hi\b/);
  });

  test('tells how many requests wait and run', async () => {
    const api = await openApi({ graceMs: { stream: 0, json: 0 } });
    api.engine.next(HANG);
    api.engine.next(text('Hello'), HANG);
    const waiting = await api.post('/chat/completions', CHAT);
    const running = await api.post('/chat/completions', CHAT);
    const report = await (await api.fetch('/metrics')).text();
    expect(report).toContain(`slashv1_requests_waiting{model="${MODEL}"} 1`);
    expect(report).toContain(`slashv1_requests_running{model="${MODEL}"} 1`);
    await Promise.all([waiting.body?.cancel(), running.body?.cancel()]);
  });

  test('needs a key, which sees its own models only', async () => {
    const api = await openApi();
    expect((await api.fetch('/metrics', { headers: {} })).status).toBe(401);
    await (await api.post('/chat/completions', CHAT)).text();
    const key = createKey();
    await api.keys.add(key, { label: 'other', models: [HUB_MODEL] });
    const response = await api.fetch('/metrics', { headers: { authorization: `Bearer ${key}` } });
    expect(await response.text()).toBe('');
  });
});

describe('GET /v1/audio/voices', () => {
  test('lists the voices of the installed speech models', async () => {
    const api = await openApi();
    const { data } = await json<{ data: { id: string; model: string }[] }>(
      await api.fetch('/audio/voices'),
    );
    expect(data.map(({ id }) => id)).toEqual(['ann', 'bob', 'cleo']);
    expect(data[0]).toEqual({
      id: 'ann',
      name: 'Ann',
      languages: ['en-US'],
      gender: 'female',
      model: SPEECH_MODEL,
    });
  });

  test('lists those of the model that is asked for', async () => {
    const api = await openApi();
    const voices = async (model: string) => {
      const response = await api.fetch(`/audio/voices?model=${encodeURIComponent(model)}`);
      return (await json<{ data: unknown[] }>(response)).data.length;
    };
    expect(await voices(SPEECH_MODEL)).toBe(3);
    expect(await voices(MODEL)).toBe(0);
    expect(await voices(UNINSTALLED_SPEECH_MODEL)).toBe(0);
  });
});

describe('a compressed body', () => {
  const send = async (body: Uint8Array<ArrayBuffer>, encoding: string) => {
    const api = await openApi();
    return api.fetch('/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${api.key}`, 'content-encoding': encoding },
      body,
    });
  };
  const zip = (value: string) => new Uint8Array(gzipSync(value));

  test('is read', async () => {
    expect((await send(zip(JSON.stringify(CHAT)), 'gzip')).status).toBe(200);
  });

  test('is refused if it is broken or encoded otherwise', async () => {
    expect((await send(zip(JSON.stringify(CHAT)).slice(0, 20), 'gzip')).status).toBe(400);
    const error = await errorOf(await send(zip('{}'), 'br'));
    expect(error).toMatchObject({ status: 400, message: expect.stringContaining("'br'") });
  });

  test('is refused if it becomes too large', async () => {
    expect((await send(zip(' '.repeat(80_000_000)), 'gzip')).status).toBe(413);
  });
});
