import { describe, expect, test } from 'vitest';
import { openApi } from '../support/api.ts';
import { CLIENT_REQUESTS, type ClientRequest } from './client-requests.ts';
import { chunksOf, json, type ChatBody, type CompletionBody } from '../support/read.ts';

const named = CLIENT_REQUESTS.map((request) => [request.path, request.name, request] as const);

async function answer({ path, body }: ClientRequest, init?: RequestInit): Promise<Response> {
  const response = await (await openApi()).post(path, body, init);
  expect(response.status).toBe(200);
  return response;
}

describe('what real clients send is answered', () => {
  test.each(named)('%s: %s', async (_path, _name, request) => {
    const { path, body } = request;
    const response = await answer(request);
    if (path === '/audio/speech') return expectAudio(response, body);
    if (body['stream'] === true) return expectStream(response, path, wantsUsage(body));
    const { id, object, choices, usage } = await json<ChatBody | CompletionBody>(response);
    const [choice] = choices;
    expect([id.split('-')[0], object]).toEqual(KINDS[path]);
    expect(choice).toMatchObject({ index: 0, logprobs: null, finish_reason: 'stop' });
    expect(choice && 'text' in choice ? choice.text : choice?.message.content).toBe('Hello there');
    expect(usage?.total_tokens).toBe(10);
  });

  test.each(['text/plain;charset=UTF-8', 'application/x-www-form-urlencoded', undefined])(
    'whatever its content type: %s',
    async (type) => {
      const [request] = CLIENT_REQUESTS;
      if (!request) throw new Error('There is no request.');
      const api = await openApi();
      const headers = new Headers({ authorization: `Bearer ${api.key}` });
      if (type !== undefined) headers.set('content-type', type);
      // For bytes, fetch adds no content type.
      const body = new TextEncoder().encode(`\uFEFF${JSON.stringify(request.body)}`);
      const response = await api.fetch(request.path, { method: 'POST', headers, body });
      expect(response.status).toBe(200);
    },
  );
});

const KINDS = {
  '/chat/completions': ['chatcmpl', 'chat.completion'],
  '/completions': ['cmpl', 'text_completion'],
};

function wantsUsage({ stream_options: options }: ClientRequest['body']): boolean {
  return JSON.stringify(options)?.includes('"include_usage":true') ?? false;
}

async function expectAudio(response: Response, body: ClientRequest['body']): Promise<void> {
  const type = body['response_format'] === 'mp3' ? 'audio/mpeg' : 'audio/wav';
  expect(response.headers.get('content-type')).toBe(type);
  expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([1, 2, 3]);
}

async function expectStream(
  response: Response,
  path: ClientRequest['path'],
  withUsage: boolean,
): Promise<void> {
  const isChat = path === '/chat/completions';
  if (isChat) {
    const chunks = await chunksOf(response);
    expect(chunks.every(({ object }) => object === 'chat.completion.chunk')).toBe(true);
    const pieces = chunks.map(({ choices }) => choices[0]?.delta.content ?? '');
    expect(pieces.join('')).toBe('Hello there');
    expect(chunks.at(-1)?.usage?.total_tokens).toBe(withUsage ? 10 : undefined);
  } else {
    const chunks = await chunksOf<CompletionBody>(response);
    expect(chunks.every(({ object }) => object === 'text_completion')).toBe(true);
    expect(chunks.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe('Hello there');
    expect(chunks.at(-1)?.usage?.total_tokens).toBe(withUsage ? 10 : undefined);
  }
}
