import { describe, expect, test, vi } from 'vitest';
import type { PromptCacheRights } from '../../../src/core/database/database.ts';
import type { KvCacheType } from '../../../src/core/realms/kv-cache-type.ts';
import { createKey } from '../../../src/core/keys/key-format.ts';
import { keptOnFakeDisk } from '../../unit/support/models/kept-prompts.ts';
import { tinyMamba } from '../../support/gguf/tiny-mamba.ts';
import { MODEL, openApi } from '../support/api.ts';
import { LlamaCppEngine } from '../support/llamacpp-engine.ts';
import { json } from '../support/read.ts';

vi.setConfig({ testTimeout: 120_000 });

const EXPLICIT = { prompt_cache_options: { mode: 'explicit' } };
const SITE: PromptCacheRights = { owner: 'site' };
const SENTENCE = 'You are a helpful assistant. Answer in one short sentence, and be kind. ';
/** More than the 256 tokens that are worth a file. */
const SYSTEM = SENTENCE.repeat(30);
const LONG = { mode: 'explicit', ttl: '12h' };

const system = (breakpoint?: object, text = SYSTEM) => ({
  role: 'system',
  content: [{ type: 'text', text, prompt_cache_breakpoint: breakpoint }],
});
const user = (content: string) => ({ role: 'user', content });

interface Chat {
  choices: object[];
  usage: {
    prompt_tokens: number;
    prompt_tokens_details: { cached_tokens: number; cache_write_tokens: number };
  };
}

type Disk = ReturnType<typeof keptOnFakeDisk>;

interface Opened {
  rights?: PromptCacheRights | undefined;
  file?: Uint8Array<ArrayBuffer>;
  revision?: string;
  kvCacheType?: KvCacheType;
}

/** A page with a real model, as after a reload: its memory is empty, and the disk has what was kept. */
async function open(
  { kept }: Disk,
  { rights = SITE, file, revision = 'r1', kvCacheType = 'f16' }: Opened = {},
) {
  const engine = new LlamaCppEngine(file, { kept, revision, kvCacheType });
  const api = await openApi({ via: () => engine });
  const key = createKey();
  await api.keys.add(key, { label: 'page', promptCache: rights });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const chat = async (messages: object[], more: object = {}) => {
    const body = { model: MODEL, messages, max_tokens: 12, temperature: 0, ...more };
    const response = await api.post('/chat/completions', body, { headers });
    expect(response.status).toBe(200);
    const { choices, usage } = await json<Chat>(response);
    const { cached_tokens: read, cache_write_tokens: written } = usage.prompt_tokens_details;
    return { choices, prompt: usage.prompt_tokens, read, written };
  };
  return { api, chat, headers };
}

const WAYS = [
  {},
  { temperature: 0.9, seed: 5 },
  { temperature: 1, seed: 6, top_p: 0.9, frequency_penalty: 0.5, n: 2 },
  { response_format: { type: 'json_object' } },
  { logprobs: true, top_logprobs: 3 },
];

describe.each([
  ['a model with attention', undefined, SYSTEM],
  // Bytes are its tokens.
  ['a recurrent model', Uint8Array.from(tinyMamba()), SENTENCE.repeat(6)],
])('after a reload, %s', (_, file, text) => {
  const given = file ? { file } : {};
  const long = system(LONG, text);

  test('goes on from the disk, and answers byte for byte the same, however it samples', async () => {
    const disk = keptOnFakeDisk();
    const first = await (await open(disk, given)).chat([long, user('Hi')], EXPLICIT);
    expect(first.read).toBe(0);
    expect(first.written).toBeGreaterThan(256);
    expect(disk.disk.files.size).toBe(1);
    for (const way of WAYS) {
      const messages = [long, user('Tell me about the weather.')];
      const expected = await (
        await open(keptOnFakeDisk(), given)
      ).chat(messages, { ...EXPLICIT, ...way });
      expect(expected).toMatchObject({ read: 0, written: first.written });
      const answer = await (await open(disk, given)).chat(messages, { ...EXPLICIT, ...way });
      expect(answer.choices).toEqual(expected.choices);
      expect(answer).toMatchObject({ read: first.written, written: 0 });
    }
    expect(disk.disk.files.size).toBe(1);
  });

  test('writes another prompt that begins like the kept one from there on', async () => {
    const disk = keptOnFakeDisk();
    const { written: kept } = await (await open(disk, given)).chat([long, user('Hi')]);
    const page = await open(disk, given);
    const more = await page.chat([long, { ...long, role: 'user' }, user('Hi')], EXPLICIT);
    expect(more.read).toBe(kept);
    expect(more.written).toBeGreaterThan(256);
    expect(disk.disk.files.size).toBe(2);
  });

  test('has read its system prompt before the first question', async () => {
    const disk = keptOnFakeDisk();
    const early = { ...EXPLICIT, max_tokens: 1, prompt_cache_key: 'start' };
    const { written } = await (await open(disk, given)).chat([long], early);
    expect(written).toBeGreaterThan(256);
    const page = await open(disk, given);
    expect(await page.chat([long], early)).toMatchObject({ read: written, written: 0 });
    const question = [system(undefined, text), user('Hi')];
    const answer = await page.chat(question, { prompt_cache_key: 'chat' });
    expect(answer).toMatchObject({ read: written, written: 0 });
    expect(disk.disk.files.size).toBe(1);
  });
});

test('a prompt is kept as a whole if the request asks so without breakpoints', async () => {
  const disk = keptOnFakeDisk();
  const retention = { prompt_cache_retention: '24h' };
  const first = await (await open(disk)).chat([system(), user('Hi')], retention);
  expect(first).toMatchObject({ read: 0, written: first.prompt - 1 });
  const again = await (await open(disk)).chat([system(), user('Hi')]);
  expect(again).toMatchObject({ read: first.prompt - 1, written: 0, choices: first.choices });
});

test.each([
  ['the request does not ask for it', SITE, system({ mode: 'explicit' }), {}],
  ['the request asks for minutes', SITE, system({ mode: 'explicit', ttl: '30m' }), {}],
  ['the request shares nothing', SITE, system(), { ...EXPLICIT, prompt_cache_retention: '24h' }],
  [
    'the prompt is short',
    SITE,
    { role: 'system', content: 'Hi' },
    { prompt_cache_retention: '24h' },
  ],
  ['the key may not', null, system(LONG), { prompt_cache_retention: '24h' }],
])('nothing is on disk if %s', async (_, rights, message, more) => {
  const disk = keptOnFakeDisk();
  const page = await open(disk, { rights: rights ?? undefined });
  if (rights === null) {
    const body = { model: MODEL, messages: [message, user('Hi')], max_tokens: 3, ...more };
    expect((await page.api.post('/chat/completions', body)).status).toBe(200);
  } else {
    await page.chat([message, user('Hi')], more);
  }
  expect([disk.disk.files.size, (await disk.kept.size()).prompts]).toEqual([0, 0]);
});

test('a KV cache in q8_0 has prompts of its own on disk', async () => {
  const disk = keptOnFakeDisk();
  const messages = [system(LONG), user('Hi')];
  const plain = await (await open(disk)).chat(messages, EXPLICIT);
  const q8 = { kvCacheType: 'q8_0' } as const;
  const first = await (await open(disk, q8)).chat(messages, EXPLICIT);
  expect(first).toMatchObject({ read: 0, written: plain.written });
  expect(disk.disk.files.size).toBe(2);
  const sizes = [...disk.disk.files.values()].map(({ size }) => size);
  expect(Math.min(...sizes) / Math.max(...sizes)).toBeLessThan(0.4);
  const again = await (await open(disk, q8)).chat(messages, EXPLICIT);
  expect(again).toMatchObject({ read: first.written, written: 0, choices: first.choices });
  expect(await (await open(disk)).chat(messages, EXPLICIT)).toMatchObject({ read: plain.written });
});

test('a request that shares nothing reads nothing from the disk', async () => {
  const disk = keptOnFakeDisk();
  await (await open(disk)).chat([system(LONG), user('Hi')]);
  const page = await open(disk);
  expect(await page.chat([system(), user('Hi')], EXPLICIT)).toMatchObject({ read: 0, written: 0 });
});

test('a key reads what it has kept itself, and nothing of others', async () => {
  const disk = keptOnFakeDisk();
  await (await open(disk)).chat([system(LONG), user('Hi')], EXPLICIT);
  const own = await open(disk, { rights: {} });
  const messages = [system(LONG), user('Hi')];
  const first = await own.chat(messages, EXPLICIT);
  expect(first.read).toBe(0);
  expect(disk.disk.files.size).toBe(2);
  const another = await open(disk, { rights: {} });
  expect(await another.chat(messages, EXPLICIT)).toMatchObject({ read: 0, written: first.written });
});

test('another revision of the model computes its prompts itself', async () => {
  const disk = keptOnFakeDisk();
  const messages = [system(LONG), user('Hi')];
  const first = await (await open(disk)).chat(messages, EXPLICIT);
  const newer = await (await open(disk, { revision: 'r2' })).chat(messages, EXPLICIT);
  expect(newer).toEqual(first);
  expect(disk.disk.files.size).toBe(1);
});

test('a state of another build is not read', async () => {
  const disk = keptOnFakeDisk();
  const messages = [system(LONG), user('Hi')];
  const first = await (await open(disk)).chat(messages, EXPLICIT);
  const { find } = disk.kept;
  disk.kept.find = (of, ...given) => find.call(disk.kept, { ...of, build: 'older' }, ...given);
  expect(await (await open(disk)).chat(messages, EXPLICIT)).toMatchObject({ read: 0 });
  expect(first.read).toBe(0);
});

test('with a damaged file, the prompt is computed, and kept again', async () => {
  const disk = keptOnFakeDisk();
  const messages = [system(LONG), user('Hi')];
  const first = await (await open(disk)).chat(messages, EXPLICIT);
  disk.disk.damage();
  const warned = vi.spyOn(console, 'warn').mockReturnValue();
  expect(await (await open(disk)).chat(messages, EXPLICIT)).toEqual(first);
  expect(warned).toHaveBeenCalled();
  warned.mockRestore();
  expect(await (await open(disk)).chat(messages, EXPLICIT)).toMatchObject({ read: first.written });
});

test('on a full disk, the request is answered, nothing is kept, and the console has a warning', async () => {
  const disk = keptOnFakeDisk();
  disk.disk.room = 1000;
  const messages = [system(LONG), user('Hi')];
  const expected = await (await open(keptOnFakeDisk())).chat(messages, EXPLICIT);
  const warned = vi.spyOn(console, 'warn').mockReturnValue();
  const page = await open(disk);
  expect(await page.chat(messages, EXPLICIT)).toEqual(expected);
  expect(warned.mock.calls.flat().map(String).join(' ')).toContain('full');
  warned.mockRestore();
  expect([disk.disk.files.size, (await disk.kept.size()).prompts]).toEqual([0, 0]);
  // The copy in memory serves on, and nothing is computed again in order to keep it.
  expect(await page.chat(messages, EXPLICIT)).toMatchObject({ read: expected.written });
});

test('what was wanted in memory first is kept on disk when a request asks for that', async () => {
  const disk = keptOnFakeDisk();
  const page = await open(disk);
  const { written } = await page.chat([system({ mode: 'explicit' }), user('Hi')], EXPLICIT);
  expect(disk.disk.files.size).toBe(0);
  await page.chat([system(LONG), user('Hi')], EXPLICIT);
  expect(disk.disk.files.size).toBe(1);
  const after = await open(disk);
  expect(await after.chat([system(LONG), user('Hi')], EXPLICIT)).toMatchObject({ read: written });
  // A conversation in memory goes beyond the place: it is cut there, and computed from there on.
  await disk.kept.clear();
  const talking = await open(disk);
  await talking.chat([system(), user('Hi')]);
  const cut = await talking.chat([system(LONG), user('Hi')]);
  expect(cut.read).toBe(written);
  expect(disk.disk.files.size).toBe(1);
});

test('decisions and messages keep their prompts, too', async () => {
  const disk = keptOnFakeDisk();
  const usageOf = async (path: string, body: object) => {
    const { api, headers } = await open(disk);
    const response = await api.post(path, { model: MODEL, ...body }, { headers });
    expect(response.status).toBe(200);
    return (await json<{ usage: Record<string, unknown> }>(response)).usage;
  };
  const cache_control = { type: 'ephemeral', ttl: '1h' };
  const message = {
    max_tokens: 3,
    system: [{ type: 'text', text: SYSTEM, cache_control }],
    messages: [user('Hi')],
  };
  const { cache_creation_input_tokens: written } = await usageOf('/messages', message);
  expect(written).toBeGreaterThan(256);
  expect(await usageOf('/messages', message)).toMatchObject({
    cache_read_input_tokens: written,
    cache_creation_input_tokens: 0,
  });
  const decision = {
    input: [
      {
        role: 'user',
        content: [{ type: 'input_text', text: SYSTEM, prompt_cache_breakpoint: LONG }],
      },
    ],
    questions: [{ type: 'predicate', instructions: 'Is it kind?' }],
    ...EXPLICIT,
  };
  const before = await usageOf('/decisions', decision);
  expect(before).toMatchObject({ input_tokens_details: { cached_tokens: 0 } });
  const { input_tokens_details: after } = await usageOf('/decisions', decision);
  expect(after).toMatchObject({ cache_write_tokens: 0 });
  expect(Reflect.get(Object(after), 'cached_tokens')).toBeGreaterThan(256);
});
