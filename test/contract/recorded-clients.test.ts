import { describe, expect, test } from 'vitest';
import { MODEL, openApi, SPEECH_MODEL, type TestApi } from './api.ts';
import { chunksOf, json } from './read.ts';
import { hasSharedFixtures, recordings, type Recording } from './shared-fixtures.ts';

const SPEECH = '/v1/audio/speech';

type Recorded = Recording['requests'][number];

/** The recordings also hold endpoints that this API does not serve yet, and chats about images. */
const SERVED = /^\/v1\/(chat\/completions|completions|audio\/speech|models(\/.*)?)$/;

const all = recordings()
  .flatMap((recording) =>
    recording.requests.map((request, index) => ({
      name: `${recording.client} ${recording.case} ${index + 1}`,
      request,
    })),
  )
  .filter(({ request }) => SERVED.test(request.path) && !hasImage(request));

function hasImage({ body }: Recorded): boolean {
  return JSON.stringify(body ?? {}).includes('"type":"image_url"');
}

function send(api: TestApi, { method, path, headers, body }: Recorded): Promise<Response> {
  const authorization = `Bearer ${api.key}`;
  const below = path.replace(/^\/v1/, '').replace(/[^/]*%2F.*$/, encodeURIComponent(MODEL));
  return api.fetch(below, {
    method,
    headers: { ...headers, authorization },
    ...(body && { body: JSON.stringify({ ...body, ...ofThisServer(path) }) }),
  });
}

/** The names that a client has to take from its server. */
function ofThisServer(path: string) {
  return path === SPEECH ? { model: SPEECH_MODEL, voice: 'ann' } : { model: MODEL };
}

/** The kind of the answer. A stream must be whole, and have usage if the request asked for it. */
async function kindOf(response: Response, { path, body }: Recorded): Promise<string> {
  if (path === SPEECH) return response.headers.get('content-type') ?? '';
  if (body?.stream !== true) return (await json<{ object: string }>(response)).object;
  const chunks = await chunksOf(response);
  expect(chunks.at(-1)?.usage?.total_tokens).toBe(
    body.stream_options?.include_usage ? 10 : undefined,
  );
  return [...new Set(chunks.map(({ object }) => object))].join();
}

function expectedKind({ path, body }: Recorded): string {
  if (path === SPEECH) return body?.response_format === 'mp3' ? 'audio/mpeg' : 'audio/wav';
  if (path === '/v1/models') return 'list';
  if (path.startsWith('/v1/models/')) return 'model';
  if (path === '/v1/completions') return 'text_completion';
  return body?.stream === true ? 'chat.completion.chunk' : 'chat.completion';
}

describe.skipIf(!hasSharedFixtures)('requests recorded from real clients', () => {
  test('are there', () => {
    expect(all.length).toBeGreaterThan(60);
  });

  test.each(all)('$name is answered', async ({ request }) => {
    const api = await openApi();
    const response = await send(api, request);
    expect(response.status).toBe(200);
    expect(await kindOf(response, request)).toBe(expectedKind(request));
  });
});
