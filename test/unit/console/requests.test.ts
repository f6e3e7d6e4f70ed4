import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { RequestFeed } from '../../../src/console/requests/request-feed.ts';
import { requestSnippets } from '../../../src/console/requests/request-snippets.ts';
import { cellsOf, isMatch } from '../../../src/console/requests/request-text.ts';
import type { ApiRequest, WatchOptions } from '../../../src/index.ts';

const CHAT: ApiRequest = {
  id: 'req_1',
  at: 0,
  method: 'POST',
  endpoint: 'chat/completions',
  model: 'a/b',
  parameters: { model: 'a/b', temperature: 0 },
};
const ACCESS = { baseURL: 'https://a.example/v1', apiKey: 'sk-slashv1-x' };

/** A feed, and what a page that watches is called with. */
function openFeed() {
  const watched: { tell: (request: ApiRequest) => void; options: WatchOptions | undefined }[] = [];
  let ended = 0;
  const feed = new RequestFeed({
    requests: {
      watch: (tell, options) => {
        watched.push({ tell, options });
        return Promise.resolve(() => void ended++);
      },
    },
  });
  return { feed, watched, ended: () => ended };
}

test('unknown values are empty, and cached tokens are named', () => {
  expect(Object.values(cellsOf({ id: '', at: 0, method: 'GET', endpoint: 'models' }))).toEqual([
    '',
    'models',
    '',
    'running',
    '',
    '',
    '',
    '',
    '',
    '',
  ]);
  const cells = cellsOf({ ...CHAT, durationMs: 5, status: 200, promptTokens: 9, cachedTokens: 4 });
  expect(cells).toMatchObject({ status: '200', tokensIn: '9 (4 cached)' });
});

test('a filter finds all of its words, in any case', () => {
  expect(isMatch(CHAT, '')).toBe(true);
  expect(isMatch(CHAT, 'CHAT a/b')).toBe(true);
  expect(isMatch(CHAT, 'chat other')).toBe(false);
});

test('the snippets repeat the request, and say if its contents are missing', () => {
  const [curl, openai, fetched] = requestSnippets({ ...CHAT, body: { input: "it's" } }, ACCESS);
  expect(curl?.code).toContain(`it'\\''s`);
  expect(openai?.code).toContain('client.chat.completions.create({');
  expect(fetched?.code).toContain(`'https://a.example/v1/chat/completions'`);
  expect(requestSnippets(CHAT, ACCESS)[0]?.note).toContain('not recorded');
  const rerank = requestSnippets({ ...CHAT, endpoint: 'rerank' }, ACCESS)[1];
  expect(rerank?.code).toContain(`client.post('/rerank', { body: {`);
  const list = requestSnippets({ ...CHAT, method: 'GET', endpoint: 'models' }, ACCESS);
  expect(list[0]?.code).not.toContain('-d');
  expect(list[1]?.code).toContain(`client.get('/models')`);
});

test('the snippets of a form send its file and its fields as a form', () => {
  const request = {
    ...CHAT,
    endpoint: 'audio/transcriptions',
    body: { model: 'a/b', prompt: "@it's", 'timestamp_granularities[]': 'word' },
  };
  const [curl, openai, fetched, python] = requestSnippets(request, ACCESS).map(({ code }) => code);
  expect(curl).toContain(`-F 'file=@"recording.wav"'`);
  expect(curl).toContain(`--form-string 'model=a/b'`);
  expect(curl).toContain(`--form-string 'prompt=@it'\\''s'`);
  expect(curl).toContain(`--form-string 'timestamp_granularities[]=word'`);
  expect(openai).toContain('client.audio.transcriptions.create({\n  file,\n  model: "a/b"');
  expect(openai).toContain('timestamp_granularities: [\n    "word"\n  ]');
  expect(fetched).toContain('form.append("file", file);\nform.append("model", "a/b");');
  expect(fetched).toContain('body: form,');
  expect(python).toContain(
    'client.audio.transcriptions.create(\n    file=open("recording.wav", "rb"),',
  );
  expect(python).toContain('timestamp_granularities=[\n        "word",');
  for (const code of [curl, openai, fetched]) expect(code).not.toMatch(/json|JSON/);
  const listed = requestSnippets({ ...CHAT, method: 'GET', endpoint: 'files' }, ACCESS);
  expect(listed[1]?.code).toContain(`client.get('/files')`);
});

test('the JavaScript of snippets is the request', async () => {
  const sent = async (request: ApiRequest) => {
    const code = requestSnippets(request, ACCESS)[2]?.code ?? '';
    let asked: Request | undefined;
    const ask = (url: string, init: RequestInit) => void (asked = new Request(url, init));
    const page = { querySelector: () => ({ files: [new File(['RIFF'], 'a.wav')] }) };
    await runInNewContext(`(async () => { ${code} })()`, { fetch: ask, document: page, FormData });
    return asked;
  };
  const fields = { input: "it's", 'a b': [1] };
  const posted = await sent({ ...CHAT, body: fields });
  expect(await posted?.json()).toEqual(fields);
  const form = await sent({ ...CHAT, endpoint: 'files', body: { purpose: 'assistants' } });
  expect([...((await form?.formData()) ?? [])].map(([name]) => name)).toEqual(['file', 'purpose']);
});

test('what OpenAI’s package for Python does not know is sent in its extra_body', () => {
  const body = { model: 'a/b', top_k: 20, stream: true, return_progress: true };
  const python = requestSnippets({ ...CHAT, body }, ACCESS)[3]?.code;
  expect(python).toContain('    stream=True,\n    extra_body={\n        "top_k": 20,');
  expect(python).not.toMatch(/^ {4}top_k=/m);
});

test('contents are watched and kept only while they are recorded', async () => {
  const { feed, watched, ended } = openFeed();
  await feed.open();
  await feed.open();
  expect(watched.map(({ options }) => options)).toEqual([{ contents: false }]);
  const recording = feed.record(true);
  expect(feed.isSwitching.value).toBe(true);
  await recording;
  expect(feed.isSwitching.value).toBe(false);
  expect(watched.at(-1)?.options).toEqual({ contents: true });
  expect(ended()).toBe(1);
  watched.at(-1)?.tell({ ...CHAT, body: { a: 1 } });
  expect(feed.shown.value[0]?.body).toEqual({ a: 1 });
  await feed.record(false);
  expect(feed.shown.value).toEqual([CHAT]);
});

test('a paused feed goes on unseen, and is bounded', async () => {
  const { feed, watched } = openFeed();
  await feed.open();
  const tell = watched[0]?.tell;
  tell?.(CHAT);
  feed.pause(true);
  for (let n = 0; n < 600; n++) tell?.({ ...CHAT, id: `req_${n}` });
  expect(feed.shown.value).toHaveLength(1);
  feed.pause(false);
  expect(feed.shown.value).toHaveLength(500);
  expect(feed.shown.value[0]?.id).toBe('req_599');
  feed.clear();
  expect(feed.shown.value).toEqual([]);
});
