import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { invalidRequest } from '../../../src/core/errors/errors.ts';
import { apiEndpoints } from '../../../sw/endpoints.ts';
import { CHECKERS, checkRequest } from '../../../sw/checking/check-request.ts';
import type { Finding } from '../../../sw/checking/finding.ts';
import { anthropicError, errorBody } from '../../../sw/http/error-response.ts';
import { MODEL } from '../support/api.ts';
import { anyFields, nearlyRight, type RawRequest } from '../fuzz/arbitrary-requests.ts';
import { CLIENT_REQUESTS } from '../clients/client-requests.ts';
import { NEWER_REQUESTS } from '../clients/newer-requests.ts';
import { quickApp } from '../support/quick-app.ts';
import { json, type ErrorBody } from '../support/read.ts';
import { hasSharedFixtures, recordings } from '../support/shared-fixtures.ts';
import { TestEngine } from '../support/test-engine.ts';

const { post } = quickApp(new TestEngine());

const refusalsOf = (path: string, body: unknown, method = 'POST') =>
  checkRequest(method, path, body).filter(({ kind }) => kind === 'refused');
const ignoredIn = (path: string, body: unknown) =>
  checkRequest('POST', path, body)
    .filter(({ kind }) => kind === 'ignored')
    .map(({ field }) => field);

/** What the API answers with a finding. */
function answered(path: string, { message, field }: Finding) {
  const { data } = invalidRequest(message, field || null);
  const body = path.startsWith('/messages') ? anthropicError(data).error : errorBody(data);
  return { message: body.message, param: body.param };
}

const CHAT = { model: MODEL, messages: [{ role: 'user', content: 'Hi' }] };

test('every route that takes a body is checked', () => {
  const routes = apiEndpoints()
    .filter(({ method, signed, path }) => method === 'POST' || signed || path === 'models/{model}')
    .filter(({ method, signed }) => method !== 'GET' || signed)
    .map(({ method, path }) => `${method} /${path}`);
  expect(Object.keys(CHECKERS).sort()).toEqual(routes.sort());
});

describe('nothing is called wrong that the API accepts:', () => {
  test.each([...CLIENT_REQUESTS, ...NEWER_REQUESTS].map(({ path, body }) => [path, body] as const))(
    '%s %j',
    (path, body) => {
      expect(refusalsOf(path, body)).toEqual([]);
    },
  );

  test.skipIf(!hasSharedFixtures)('requests that were recorded from clients', async () => {
    let accepted = 0;
    for (const { method, path, body } of recordings().flatMap(({ requests }) => requests)) {
      const below = path.replace(/^\/v1/, '');
      if (!body || !Object.hasOwn(CHECKERS, `${method} ${below}`)) continue;
      const [refused] = refusalsOf(below, body);
      if (!refused) {
        accepted++;
        continue;
      }
      const { error } = await json<ErrorBody>(await post(below, JSON.stringify(body)));
      expect(error).toMatchObject(answered(below, refused));
    }
    expect(accepted).toBeGreaterThan(100);
  });

  test.each([
    ['requests of real clients with a few changes', nearlyRight],
    ['any values in the usual fields', anyFields],
  ] as const)(
    '%s: what is refused first is what the API answers',
    async (_what, requests) => {
      let refusals = 0;
      let answers = 0;
      const check = async ({ path, bytes }: RawRequest) => {
        const [refused] = refusalsOf(path, JSON.parse(new TextDecoder().decode(bytes)));
        const response = await post(path, bytes);
        if (response.status === 200) answers++;
        if (!refused) return response.body?.cancel();
        refusals++;
        const { error } = await json<ErrorBody>(response);
        expect(response.status).toBe(400);
        expect(error).toMatchObject(answered(path, refused));
        return undefined;
      };
      await fc.assert(fc.asyncProperty(requests, check), { seed: 20_261_123, numRuns: 1_500 });
      expect(refusals).toBeGreaterThan(300);
      expect(answers).toBeGreaterThan(50);
    },
    120_000,
  );
});

describe('what is wrong is found before it is sent:', () => {
  test('all fields at once, by path', () => {
    const body = {
      ...CHAT,
      temperature: 3,
      n: 'two',
      messages: [{ role: 'robot', content: 'Hi' }],
    };
    expect(refusalsOf('/chat/completions', body)).toEqual([
      expect.objectContaining({
        field: 'temperature',
        message: "'temperature' must be between 0 and 2.",
      }),
      expect.objectContaining({ field: 'n', message: "'n' must be an integer." }),
      expect.objectContaining({ field: 'messages[0].role', path: ['messages', 0, 'role'] }),
    ]);
  });

  test.each([
    ['/chat/completions', { model: MODEL }, "'messages' is required."],
    ['/chat/completions', { ...CHAT, messages: [] }, "'messages' must not be empty."],
    ['/chat/completions', { ...CHAT, functions: [] }, /functions/],
    ['/chat/completions', [], 'The request body must be a JSON object.'],
    ['/messages', CHAT, "'max_tokens' is required."],
    ['/embeddings', { model: MODEL, input: [1] }, /tokens of another model/],
    ['/rerank', { model: MODEL, query: 'x', documents: [] }, "'documents' must not be empty."],
    ['/tokenize', { model: MODEL }, "'prompt' or 'messages' is required."],
    ['/tokenize', { ...CHAT, prompt: 'x' }, "'prompt' is not allowed beside 'messages'."],
    ['/responses', { model: MODEL, input: [] }, "'input' must not be empty."],
    ['/models/{model}/load', { stream: 1 }, "'stream' must be a boolean."],
  ])('%s %j', (path, body, message) => {
    expect(refusalsOf(path, body)[0]?.message).toMatch(message);
  });

  test('in what a URL and a form say', () => {
    const query = { model: MODEL, voice: 'ann', input: 'Hi', speed: '9' };
    expect(refusalsOf('/audio/speech', query, 'GET')[0]?.field).toBe('speed');
    expect(refusalsOf('/audio/speech', { ...query, speed: '2' }, 'GET')).toEqual([]);
    const form = new FormData();
    form.append('file', new File(['sound'], 'said.wav'));
    form.append('model', MODEL);
    expect(refusalsOf('/audio/transcriptions', form)).toEqual([]);
    form.append('temperature', '2');
    expect(refusalsOf('/audio/transcriptions', form)[0]?.field).toBe('temperature');
    form.delete('temperature');
    form.append('language', 'de');
    expect(refusalsOf('/audio/transcriptions', form)).toEqual([]);
    expect(refusalsOf('/audio/translations', form)[0]?.field).toBe('language');
  });
});

test('fields that have no effect are named, at every level', () => {
  const body = {
    ...CHAT,
    temprature: 0.5,
    stream_options: { include_usages: true },
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', colour: 'red' }], mood: 1 }],
    response_format: { type: 'json_object' },
    chat_template_kwargs: { anything: true },
  };
  expect(ignoredIn('/chat/completions', body).sort()).toEqual([
    ...['messages[0].content[0].colour', 'messages[0].mood'],
    ...['stream_options.include_usages', 'temprature'],
  ]);
  expect(ignoredIn('/chat/completions', CHAT)).toEqual([]);
});

test('a request without a body, and an unknown one, have nothing to check', () => {
  expect(checkRequest('GET', '/models', undefined)).toEqual([]);
  expect(checkRequest('POST', '/constructor', {})).toEqual([]);
});
