import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { OpenAIEmbeddings } from '@langchain/openai';
import { embed, embedMany } from 'ai';
import { describe, expect, test, vi } from 'vitest';
import { createKey } from '../../../src/core/keys/key-format.ts';
import { jobFault, modelNotFound } from '../../../src/core/errors/errors.ts';
import { EMBEDDER, MODEL, openApi, ORIGIN, RANKER } from '../support/api.ts';
import { browserFetch } from '../support/browser-fetch.ts';
import { problems } from '../support/openai-schema.ts';
import { langchainFields } from '../support/other-clients.ts';
import { errorOf, json } from '../support/read.ts';
import { hasSharedFixtures, recordings } from '../support/shared-fixtures.ts';
import { HANG } from '../support/test-engine.ts';

const PATH = '/embeddings';

interface EmbeddingBody {
  object: string;
  model: string;
  data: { object: string; index: number; embedding: number[] | string }[];
  usage: { prompt_tokens: number; total_tokens: number };
}

describe('POST /v1/embeddings', () => {
  test('answers with a vector for each text, in the order of the texts', async () => {
    const api = await openApi();
    const response = await api.post(PATH, { model: EMBEDDER, input: ['abc', 'de'] });
    expect(await json(response)).toEqual({
      object: 'list',
      model: EMBEDDER,
      data: [
        { object: 'embedding', index: 0, embedding: [3, 0, 0, 0] },
        { object: 'embedding', index: 1, embedding: [2, 1, 0, 0] },
      ],
      usage: { prompt_tokens: 5, total_tokens: 5 },
    });
    expect(api.engine.embeddings[0]?.job).toMatchObject({
      op: 'embed',
      model: EMBEDDER,
      texts: ['abc', 'de'],
      client: expect.any(String),
    });
  });

  test('takes a single text', async () => {
    const api = await openApi();
    const { data } = await json<EmbeddingBody>(
      await api.post(PATH, { model: EMBEDDER, input: 'abc', user: 'ann', dimensions: null }),
    );
    expect(data).toEqual([{ object: 'embedding', index: 0, embedding: [3, 0, 0, 0] }]);
  });

  test('sends 32-bit numbers in base64 if asked for them', async () => {
    const api = await openApi();
    const body = { model: EMBEDDER, input: 'abc', encoding_format: 'base64' };
    const { data } = await json<EmbeddingBody>(await api.post(PATH, body));
    const bytes = Buffer.from(String(data[0]?.embedding), 'base64');
    expect(bytes.length).toBe(16);
    expect(bytes.readFloatLE(0)).toBe(3);
  });

  test('passes on the number of dimensions and what the texts are for', async () => {
    const api = await openApi();
    const body = { model: EMBEDDER, input: 'abc', dimensions: 2, input_type: 'query' };
    const { data } = await json<EmbeddingBody>(await api.post(PATH, body));
    expect(data[0]?.embedding).toEqual([3, 0]);
    expect(api.engine.embeddings[0]?.job).toMatchObject({ dimensions: 2, role: 'query' });
  });

  test.each([
    [{}, 'input', null],
    [{ input: null }, 'input', null],
    [{ input: 7 }, 'input', null],
    [{ input: '' }, 'input', null],
    [{ input: [] }, 'input', 'empty_array'],
    [{ input: ['a', ''] }, 'input[1]', null],
    [{ input: ['a', { text: 'b' }] }, 'input[1]', null],
    [{ input: [1, 2] }, 'input', 'unsupported_value'],
    [{ input: [[1, 2]] }, 'input', 'unsupported_value'],
    [{ input: Array.from({ length: 2_049 }, () => 'a') }, 'input', null],
    [{ input: 'a', encoding_format: 'int8' }, 'encoding_format', null],
    [{ input: 'a', dimensions: 0 }, 'dimensions', null],
    [{ input: 'a', dimensions: 1.5 }, 'dimensions', null],
    [{ input: 'a', input_type: 'answer' }, 'input_type', null],
  ])('refuses %j', async (body, param, code) => {
    const api = await openApi();
    const error = await errorOf(await api.post(PATH, { model: EMBEDDER, ...body }));
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', param, code });
    expect(api.engine.embeddings).toEqual([]);
  });

  test.each([
    ['texts', '[1]', 'context_length_exceeded', ['a', 'b'], 'input[1]'],
    ['texts', '[0]', 'context_length_exceeded', 'a', 'input'],
    ['dimensions', '', 'unsupported_value', 'a', 'dimensions'],
    ['role', '', 'unsupported_value', 'a', 'input_type'],
  ] as const)('names the field of a fault in %s%s', async (part, path, code, input, param) => {
    const api = await openApi();
    api.engine.next(jobFault(part, 'is wrong.', { path, code }));
    expect(await errorOf(await api.post(PATH, { model: EMBEDDER, input }))).toMatchObject({
      status: 400,
      code,
      param,
      message: `'${param}' is wrong.`,
    });
  });

  test('a model of another kind is refused, and those that fit are named', async () => {
    const api = await openApi();
    for (const model of [MODEL, RANKER]) {
      const error = await errorOf(await api.post(PATH, { model, input: 'a' }));
      expect(error).toMatchObject({ status: 400, code: 'unsupported_value', param: 'model' });
      expect(error.message).toContain(EMBEDDER);
    }
    const chat = { model: EMBEDDER, messages: [{ role: 'user', content: 'Hi' }] };
    const error = await errorOf(await api.post('/chat/completions', chat));
    expect(error).toMatchObject({ status: 400, code: 'unsupported_value', param: 'model' });
  });

  test('the catalog is read for the first request to a model only', async () => {
    const api = await openApi();
    const get = vi.spyOn(api.options.catalog, 'get');
    for (let n = 0; n < 3; n++) await json(await api.post(PATH, { model: EMBEDDER, input: 'a' }));
    expect(get).toHaveBeenCalledOnce();
  });

  test('a model that the engine does not have any more is refused as the catalog says', async () => {
    const api = await openApi();
    await json(await api.post(PATH, { model: EMBEDDER, input: 'a' }));
    vi.spyOn(api.options.catalog, 'get').mockResolvedValue(undefined);
    api.engine.next(modelNotFound(EMBEDDER));
    const error = await errorOf(await api.post(PATH, { model: EMBEDDER, input: 'a' }));
    expect(error).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
    expect(error.message).toContain('GET v1/models');
  });

  test('a key without the model is refused, although others have used it', async () => {
    const api = await openApi();
    await json(await api.post(PATH, { model: EMBEDDER, input: 'a' }));
    const key = createKey();
    await api.keys.add(key, { label: 'chat only', models: [MODEL] });
    const headers = { authorization: `Bearer ${key}` };
    const response = await api.post(PATH, { model: EMBEDDER, input: 'a' }, { headers });
    expect(response.status).toBe(403);
  });

  test('a client that leaves ends the job', async () => {
    const api = await openApi({ graceMs: { stream: 0, json: 0 } });
    api.engine.next(HANG);
    const response = await api.post(PATH, { model: EMBEDDER, input: 'a' });
    await response.body?.cancel();
    await expect.poll(() => api.engine.embeddings[0]?.ended).toBe(true);
  });

  test('an embedder says what it takes and gives', async () => {
    const api = await openApi();
    const model = await json(await api.fetch(`/models/${encodeURIComponent(EMBEDDER)}`));
    expect(model).toMatchObject({
      input_modalities: ['text'],
      output_modalities: ['embeddings'],
      max_output_length: 0,
      context_length: 256,
      embedding_length: 4,
      dimensions: [2, 4],
    });
  });
});

describe('clients', () => {
  test('the openai package, which asks for base64', async () => {
    const api = await openApi();
    const client = api.client();
    const { data, usage } = await client.embeddings.create({
      model: EMBEDDER,
      input: ['abc', 'd'],
    });
    expect(data.map(({ embedding }) => embedding)).toEqual([
      [3, 0, 0, 0],
      [1, 1, 0, 0],
    ]);
    expect(usage.total_tokens).toBe(4);
  });

  test('the AI SDK', async () => {
    const api = await openApi();
    const settings = { baseURL: `${ORIGIN}/v1`, apiKey: api.key, fetch: browserFetch(api.app) };
    const openai = createOpenAI(settings);
    const one = await embed({ model: openai.embedding(EMBEDDER), value: 'abc' });
    expect(one).toMatchObject({ embedding: [3, 0, 0, 0], usage: { tokens: 3 } });
    const compatible = createOpenAICompatible({ ...settings, name: 'slashv1' });
    const many = await embedMany({
      model: compatible.embeddingModel(EMBEDDER),
      values: ['a', 'bc'],
    });
    expect(many.embeddings).toEqual([
      [1, 0, 0, 0],
      [2, 1, 0, 0],
    ]);
  });

  test('LangChain', async () => {
    const api = await openApi();
    const { apiKey, configuration } = langchainFields(api, {});
    const embeddings = new OpenAIEmbeddings({ apiKey, configuration, model: EMBEDDER });
    expect(await embeddings.embedDocuments(['a', 'bc'])).toEqual([
      [1, 0, 0, 0],
      [2, 1, 0, 0],
    ]);
  });

  const recorded = recordings().flatMap(({ client, case: name, requests }) =>
    requests
      .filter(({ path }) => path === '/v1/embeddings')
      .map((request) => [`${client} ${name}`, request.body] as const),
  );

  test.skipIf(!hasSharedFixtures)('requests recorded from real clients are there', () => {
    expect(recorded.length).toBeGreaterThan(0);
  });

  test.each(recorded)('%s is answered as asked', async (name, body) => {
    const api = await openApi();
    const response = await api.post(PATH, { ...body, model: EMBEDDER });
    if (name.endsWith('token-array')) return expect(response.status).toBe(400);
    // The vectors of the test engine are as long as the client wants them.
    const { data } = await json<EmbeddingBody>(response);
    expect(response.status).toBe(200);
    const isText = body?.['encoding_format'] === 'base64';
    for (const { embedding } of data) expect(typeof embedding).toBe(isText ? 'string' : 'object');
  });

  test.skipIf(!hasSharedFixtures)('OpenAI’s published description holds', async () => {
    const api = await openApi();
    const body = await json(await api.post(PATH, { model: EMBEDDER, input: ['a', 'b'] }));
    expect(problems('CreateEmbeddingResponse', body)).toBe('');
  });
});
