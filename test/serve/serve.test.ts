import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { OpenAI, AuthenticationError, NotFoundError } from 'openai';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildSite } from '../../scripts/build.ts';
import { defaultPacks } from '../../scripts/build/packs.ts';
import { findChromium } from '../../src/node/browser.ts';
import { shellScript } from '../support/shell-script.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ask, KEY, TINY } from './support/asking.ts';
import { startServe } from './support/serve-process.ts';

// A browser starts slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let serve: ReturnType<typeof startServe>;
let openai: OpenAI;

beforeAll(async () => {
  await buildSite({ packs: await defaultPacks() });
  const options = ['--context', '1024', '--hear', 'slashv1/tiny-hear'];
  serve = startServe(['--key', KEY, '--model', TINY, ...options]);
  const [, baseURL] = /^ready (\S+) /.exec(await serve.ready()) ?? [];
  openai = new OpenAI({ ...(baseURL && { baseURL }), apiKey: KEY });
}, 300_000);

afterAll(async () => {
  serve.kill('SIGTERM');
  await serve.ended;
});

/** The text in a chunk as it is on the wire: `data: {…}`. */
function contentOf(frame: string): string {
  const chunk: OpenAI.ChatCompletionChunk = JSON.parse(frame.slice('data: '.length));
  return chunk.choices[0]?.delta.content ?? '';
}

test('options of the page are those of the command line', async () => {
  expect(await openai.models.retrieve(TINY)).toMatchObject({
    context_length: 1024,
    input_modalities: ['text', 'audio'],
    audio_by: 'transcription',
  });
});

test('one line on stdout says that it is ready, and how to use it', () => {
  expect(serve.lines).toEqual([`ready ${openai.baseURL} key=${KEY}`]);
  expect(openai.baseURL).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
});

test('it says where the console is, and browsers that open the bridge are led there', async () => {
  const [, address = ''] = /^The console is at (http:\S+\/)$/m.exec(serve.errors()) ?? [];
  expect(await (await fetch(address)).text()).toContain('src="./assets/');
  const bridge = new URL('/', openai.baseURL);
  const visit = (headers: Record<string, string>) => fetch(bridge, { headers, redirect: 'manual' });
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const visited = await visit({ accept });
  expect([visited.status, visited.headers.get('location')]).toEqual([302, address]);
  // Programs get the API's answer; pages of other sites get none.
  expect((await visit({ accept: '*/*' })).headers.get('content-type')).toBe('application/json');
  expect((await visit({ accept, origin: 'https://elsewhere.example' })).status).toBe(403);
});

test('the secret that lets the page in is not among the arguments of the browser', () => {
  const commands = serve.browser().map(({ command }) => command);
  expect(commands).toContainEqual(expect.stringContaining('--headless=new'));
  expect(commands).not.toContainEqual(expect.stringContaining('bridge='));
});

test('the openai package lists, retrieves and chats', async () => {
  const { data } = await openai.models.list();
  expect(data.map(({ id }) => id)).toContain(TINY);
  expect((await openai.models.retrieve(TINY)).id).toBe(TINY);
  const completion = await openai.chat.completions.create(ask('Count to 5'));
  expect(completion.choices[0]?.message.content).toBe('1 2 3 4 5');
});

test('the openai package gets speech as a file', async () => {
  const answer = await openai.audio.speech.create({
    model: 'hexgrad/Kokoro-82M',
    voice: 'af_heart',
    input: 'Hello!',
    response_format: 'wav',
  });
  const file = Buffer.from(await answer.arrayBuffer());
  expect(answer.headers.get('content-type')).toBe('audio/wav');
  expect(file.toString('latin1', 0, 4)).toBe('RIFF');
  // For a single sentence the header contains the length, so a lost byte would show.
  expect(file.readUInt32LE(4)).toBe(file.length - 8);
  expect((file.length - 44) / 2 / file.readUInt32LE(24)).toBeGreaterThan(0.4);
});

const hasCurl = spawnSync('curl', ['--version']).status === 0;

test.runIf(hasCurl)('curl gets the stream piece by piece', () => {
  const body = JSON.stringify({ ...ask('Count to 5'), stream: true });
  const output = execFileSync(
    'curl',
    [
      '-sN',
      `${openai.baseURL}/chat/completions`,
      ...['-H', `authorization: Bearer ${KEY}`, '-H', 'content-type: application/json'],
      ...['-d', body],
    ],
    { encoding: 'utf8' },
  );
  const frames = output.split('\n\n');
  expect(frames.splice(-2)).toEqual(['data: [DONE]', '']);
  expect(frames.map(contentOf).join('')).toBe('1 2 3 4 5');
});

test('pieces arrive before the answer is complete', async () => {
  const stream = await openai.chat.completions.create({ ...ask('Count to 9'), stream: true });
  const arrivals: number[] = [];
  for await (const chunk of stream)
    if (chunk.choices[0]?.delta.content) arrivals.push(performance.now());
  expect(arrivals.length).toBeGreaterThan(9);
  expect(new Set(arrivals).size).toBeGreaterThan(1);
});

test('the API itself refuses a wrong key and an unknown model', async () => {
  const stranger = openai.withOptions({ apiKey: `sk-slashv1-${'0'.repeat(43)}` });
  await expect(stranger.models.list()).rejects.toThrow(AuthenticationError);
  await expect(openai.models.retrieve('Org/None')).rejects.toThrow(NotFoundError);
});

/** A request whose answers are longer than what is sent without a reader. Unread, they never end. */
const ENDLESS = { model: TINY, prompt: '1 2 3', max_tokens: 1900, temperature: 1.5, n: 8 };

test('a client that disconnects frees the engine', async () => {
  const abandoned = await openai.completions.create({ ...ENDLESS, stream: true });
  for await (const _ of abandoned) break;
  const unanswered = new AbortController();
  const request = openai.completions.create(ENDLESS, { signal: unanswered.signal });
  // When a later request has been answered, the earlier one has reached the engine.
  await openai.models.list();
  unanswered.abort();
  await expect(request).rejects.toThrow('aborted');
  const { choices } = await openai.chat.completions.create(ask('Count to 3'));
  expect(choices[0]?.message.content).toBe('1 2 3');
});

test('a browser that crashes is replaced, and the key stays valid', async () => {
  const processes = serve.browser();
  const stream = await openai.completions.create({ ...ENDLESS, stream: true });
  const reader = stream[Symbol.asyncIterator]();
  await reader.next();
  for (const { pid } of processes) process.kill(pid, 'SIGKILL');
  const readOn = async () => {
    while (!(await reader.next()).done);
  };
  await expect(readOn()).rejects.toThrow('terminated');
  const completion = await openai.chat.completions.create(ask('Count to 5'));
  expect(completion.choices[0]?.message.content).toBe('1 2 3 4 5');
  expect(serve.lines.length).toBe(1);
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends it and leaves nothing behind',
  async (signal) => {
    const other = startServe();
    expect(await other.ready()).toMatch(/^ready http:\S+\/v1 key=sk-slashv1-[\w-]{43}$/);
    expect(other.browser().length).toBeGreaterThan(0);
    other.kill(signal);
    expect(await other.ended).toMatchObject({ code: 0, leftFiles: [], leftProcesses: [] });
  },
);

test('without its command, a browser ends by itself', async () => {
  const other = startServe();
  await other.ready();
  other.kill('SIGKILL');
  await expect.poll(() => other.browser()).toEqual([]);
  await other.ended;
});

test('with --log, a line for each request says how it ended, without its contents', async () => {
  const logging = startServe(['--key', KEY, '--model', TINY, '--log']);
  try {
    const [, baseURL = ''] = /^ready (\S+) /.exec(await logging.ready()) ?? [];
    const client = new OpenAI({ baseURL, apiKey: KEY, maxRetries: 0 });
    await client.chat.completions.create(ask('Count to 5'));
    await expect(client.models.retrieve('none')).rejects.toBeInstanceOf(NotFoundError);
    await vi.waitFor(() => {
      const log = logging.errors();
      expect(log).toMatch(
        /^\d\d:\d\d:\d\d "session" POST chat\/completions slashv1\/tiny-chat 200 .* in=\d+ .*out=\d+ end=stop$/m,
      );
      expect(log).toMatch(/ GET models\/none - 404 .* end=model_not_found$/m);
    });
    expect(logging.errors()).not.toContain('Count to 5');
    expect(logging.errors()).not.toContain(KEY);
  } finally {
    logging.kill('SIGTERM');
    await logging.ended;
  }
});

test('a GGUF file of this computer is given to the page, which answers with it', async () => {
  const file = join(temporaryFolder(), 'My tiny chat.gguf');
  copyFileSync('models/packs/tiny-chat/tiny-chat-F32.gguf', file);
  const other = startServe(['--key', KEY, '--model', file]);
  const [, baseURL = ''] = /^ready (\S+) /.exec(await other.ready()) ?? [];
  const client = new OpenAI({ baseURL, apiKey: KEY });
  const completion = await client.chat.completions.create({
    ...ask('Count to 5'),
    model: 'My tiny chat',
  });
  expect(completion.choices[0]?.message.content).toBe('1 2 3 4 5');
  other.kill('SIGTERM');
  await other.ended;
});

test('a pack folder and a second model are there when it is ready', async () => {
  const models = ['--model', 'models/packs/tiny-embed', '--model', TINY];
  const other = startServe(['--key', KEY, ...models]);
  try {
    const [, baseURL = ''] = /^ready (\S+) /.exec(await other.ready()) ?? [];
    const client = new OpenAI({ baseURL, apiKey: KEY });
    const ids = (await client.models.list()).data.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['slashv1/tiny-embed', TINY]));
    const request = { model: 'slashv1/tiny-embed', input: 'Hello' };
    const { data } = await client.embeddings.create(request);
    expect(data[0]?.embedding.length).toBeGreaterThan(10);
  } finally {
    other.kill('SIGTERM');
    await other.ended;
  }
});

test('a GGUF file that is not there is a wrong command line', async () => {
  const { code, stderr } = await startServe(['--model', 'none.gguf']).ended;
  expect(code).toBe(2);
  expect(stderr).toContain('slashv1: --model: there is no file ');
});

test('a page that cannot start says why', async () => {
  const noModel = startServe(['--model', 'nobody/nothing']);
  expect(await noModel.ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("slashv1: The model 'nobody/nothing' could not be loaded"),
    leftFiles: [],
    leftProcesses: [],
  });
});

test('it needs no WebGPU', async () => {
  // Drops the switches that enable WebGPU on a machine without a GPU.
  const drop = 'for a; do shift; case $a in *webgpu*|*ulkan*) ;; *) set -- "$@" "$a";; esac; done';
  const script = `${drop}\nexec '${findChromium()}' --disable-gpu "$@"`;
  const chromium = shellScript(join(temporaryFolder(), 'chromium'), script);
  const other = startServe(['--gpu=auto'], { SLASHV1_CHROMIUM: chromium });
  expect(await other.ready()).toMatch(/^ready http:/);
  other.kill('SIGTERM');
  expect(await other.ended).toMatchObject({ code: 0 });
});
