import { describe, expect, test } from 'vitest';
import { isApiPath } from '../../../sw/api-path.ts';
import { MODEL, openApi, RANKER, SPEECH_MODEL, type TestApi } from '../support/api.ts';
import { chunksOf, errorOf, eventsOf, json } from '../support/read.ts';
import {
  hasSharedFixtures,
  isServed,
  recordings,
  type Recording,
} from '../support/shared-fixtures.ts';

const SPEECH = '/v1/audio/speech';
const RERANK = '/v1/rerank';

type Recorded = Recording['requests'][number];

interface Case {
  name: string;
  request: Recorded;
}

const SERVED =
  /^\/v1\/(chat\/completions|completions|responses(\/.*)?|messages(\/.*)?|audio\/speech|models(\/.*)?|rerank)$/;
/** Endpoints whose own tests send these requests, because each answer depends on what its request asks for. */
const SERVED_ELSEWHERE =
  /^\/v1\/(embeddings|decisions|systemone|conversations(\/.*)?|(files|vector_stores)([/?].*)?|audio\/(transcriptions|translations))$/;

const recorded: Case[] = recordings().flatMap((recording) =>
  recording.requests.map((request, index) => ({
    name: `${recording.client} ${recording.case} ${index + 1}`,
    request,
  })),
);
const unserved = recorded.filter(({ request }) => !isServed(request));
const all = recorded.filter(({ request }) => SERVED.test(request.path));
/** Cohere's own client of version 2 asks for `/v2/rerank`: only `/v1` is the API's, `/v2` may be the site's own. */
const unclaimed = recorded.filter(({ request }) => !isApiPath(request.path, '/'));

/** Requests for what this server does not have, by the error that says so. */
const REFUSALS: [(request: Recorded) => boolean, object][] = [
  // The model does not see: images.test.ts has one that does.
  [
    (request) => holds(request, '"type":"input_image"'),
    { status: 400, code: 'unsupported_value', param: 'input[0].content[1].image_url' },
  ],
  [
    (request) => holds(request, '"type":"image_url"'),
    { status: 400, code: 'unsupported_value', param: expect.stringMatching(/\.image_url$/) },
  ],
  [
    ({ body }) => body?.['background'] === true,
    { status: 400, code: 'unsupported_value', param: 'background' },
  ],
  // The recordings' ids are made up.
  [
    ({ body }) => body?.['conversation'] !== undefined,
    { status: 404, code: 'conversation_not_found', param: 'conversation' },
  ],
  [
    (request) => holds(request, '"type":"item_reference"'),
    { status: 404, code: null, param: 'input' },
  ],
  [
    (request) => holds(request, '"type":"input_audio"'),
    unsupported(expect.stringMatching(/^messages\[\d+\]\.content\[\d+\]$/)),
  ],
  [
    ({ body }) => body?.['previous_response_id'] === 'resp_1' && Array.isArray(body['tools']),
    { status: 400, code: 'previous_response_not_found', param: 'previous_response_id' },
  ],
  [
    (request) => /"type":"(code_interpreter|file_search|mcp)"/.test(bodyOf(request)),
    unsupported(expect.stringMatching(/^tools\[\d+\]\.type$/)),
  ],
  [
    (request) => holds(request, '"type":"image"') && holds(request, '"role":"assistant"'),
    {
      status: 400,
      code: 'unsupported_value',
      param: 'messages[2].content[0].content[1].source.data',
    },
  ],
  [
    (request) => holds(request, '"type":"image"'),
    { status: 400, code: 'unsupported_value', param: expect.stringMatching(/^messages\[0\]/) },
  ],
  [
    ({ body }) => body?.['thread'] !== undefined,
    { status: 400, details: { error_code: 'thread_unsupported_request' } },
  ],
  [({ path }) => path.startsWith('/v1/responses/'), { status: 404, code: null, param: null }],
];

const refused = all.flatMap((each) => {
  const [, error] = REFUSALS.find(([matches]) => matches(each.request)) ?? [];
  return error ? [{ ...each, error }] : [];
});
const answered = all.filter(({ name }) => refused.every((each) => each.name !== name));

function unsupported(param: unknown) {
  return { status: 400, code: 'unsupported_value', param };
}

function bodyOf({ body }: Recorded): string {
  return JSON.stringify(body ?? {});
}

function holds(request: Recorded, text: string): boolean {
  return bodyOf(request).includes(text);
}

function send(api: TestApi, { method, path, headers, body }: Recorded): Promise<Response> {
  const withKey = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    value.replace('{key}', api.key),
  ]);
  const below = path.replace(/^\/v1/, '').replace(/[^/]*%2F.*$/, encodeURIComponent(MODEL));
  return api.fetch(below, {
    method,
    headers: withKey,
    ...(body && { body: JSON.stringify({ ...body, ...ofThisServer(path, body) }) }),
  });
}

/** The names that a client has to take from its server. */
function ofThisServer(path: string, { audio }: Record<string, unknown>) {
  if (path === SPEECH) return { model: SPEECH_MODEL, voice: 'ann' };
  const spoken = typeof audio === 'object' && { audio: { ...audio, voice: 'ann' } };
  return { model: path === RERANK ? RANKER : MODEL, ...spoken };
}

/** The kind of the answer. A stream must be whole, and have usage if the request asked for it. */
async function kindOf(response: Response, { path, body }: Recorded): Promise<string> {
  if (path === SPEECH) return response.headers.get('content-type') ?? '';
  if (body?.stream !== true) {
    const { object, type, ...rest } = await json<{ object?: string; type?: string }>(response);
    return object ?? type ?? Object.keys(rest).join();
  }
  if (path === '/v1/responses' || path === '/v1/messages')
    return (await eventsOf(response)).at(-1)?.type ?? '';
  const chunks = await chunksOf(response);
  expect(chunks.at(-1)?.usage?.total_tokens).toBe(
    body.stream_options?.include_usage ? 10 : undefined,
  );
  return [...new Set(chunks.map(({ object }) => object))].join();
}

function expectedKind({ path, body }: Recorded): string {
  if (path === SPEECH) return body?.response_format === 'mp3' ? 'audio/mpeg' : 'audio/wav';
  if (path === '/v1/models' || path === RERANK) return 'list';
  if (path.startsWith('/v1/models/')) return 'model';
  if (path === '/v1/completions') return 'text_completion';
  if (path === '/v1/messages/count_tokens') return 'input_tokens';
  if (path === '/v1/messages') return body?.stream === true ? 'message_stop' : 'message';
  if (path === '/v1/responses') return body?.stream === true ? 'response.completed' : 'response';
  return body?.stream === true ? 'chat.completion.chunk' : 'chat.completion';
}

describe.skipIf(!hasSharedFixtures)('requests recorded from real clients', () => {
  test('are there', () => {
    expect(answered.length).toBeGreaterThan(100);
    expect(refused.length).toBeGreaterThan(5);
    const others = recorded.filter((each) => ![all, unclaimed, unserved].flat().includes(each));
    expect(others.filter(({ request }) => !SERVED_ELSEWHERE.test(request.path))).toEqual([]);
  });

  test('outside /v1 are left to the site, and answered if they are sent to /v1', async () => {
    expect(unclaimed.map(({ request }) => request.path)).toEqual(['/v2/rerank']);
    for (const { request } of unclaimed) {
      const path = request.path.replace('/v2/', '/v1/');
      const response = await send(await openApi(), { ...request, path });
      expect(response.status).toBe(200);
      expect(await json(response)).toMatchObject({
        results: [{ index: 0, relevance_score: expect.any(Number) }],
        meta: { api_version: { version: '1' } },
      });
    }
  });

  test.each(unserved)('$name has no endpoint here', async ({ request }) => {
    const api = await openApi();
    const { method, path } = request;
    const error = await errorOf(await api.fetch(path.replace(/^\/v1/, ''), { method }));
    expect(error).toMatchObject({ status: 404, message: expect.stringContaining('/v1/responses') });
  });

  test.each(answered)('$name is answered', async ({ request }) => {
    const api = await openApi();
    const response = await send(api, request);
    expect(response.status).toBe(200);
    expect(await kindOf(response, request)).toBe(expectedKind(request));
  });

  test.each(refused)('$name is refused', async ({ request, error }) => {
    const api = await openApi();
    expect(await errorOf(await send(api, request))).toMatchObject(error);
    expect(api.engine.runs).toEqual([]);
  });
});
