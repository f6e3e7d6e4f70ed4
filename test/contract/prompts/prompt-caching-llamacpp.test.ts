import { describe, expect, test, vi } from 'vitest';
import { createKey } from '../../../src/core/keys/key-format.ts';
import { tinyMamba } from '../../support/gguf/tiny-mamba.ts';
import { MODEL, openApi } from '../support/api.ts';
import { LlamaCppEngine } from '../support/llamacpp-engine.ts';
import { json } from '../support/read.ts';

vi.setConfig({ testTimeout: 120_000 });

const KEEP = { mode: 'explicit' };
const EPHEMERAL = { type: 'ephemeral' };
const EXPLICIT = { prompt_cache_options: { mode: 'explicit' } };
const SYSTEM =
  'You are a helpful assistant. Answer in one short sentence, and be kind to everyone.';

const system = (breakpoint?: object) => ({
  role: 'system',
  content: [{ type: 'text', text: SYSTEM, prompt_cache_breakpoint: breakpoint }],
});
const user = (content: unknown) => ({ role: 'user', content });
const part = (written: string, breakpoint?: object) => ({
  type: 'text',
  text: written,
  prompt_cache_breakpoint: breakpoint,
});

interface ChatUsage {
  prompt_tokens: number;
  prompt_tokens_details: { cached_tokens: number; cache_write_tokens: number };
}

interface Chat {
  choices: object[];
  usage: ChatUsage;
}

/** A real model, and one chat with it after the other. */
async function realModel(file?: Uint8Array<ArrayBuffer>) {
  const engine = new LlamaCppEngine(file);
  const api = await openApi({ via: () => engine });
  const chat = async (messages: object[], more: object = {}) => {
    const response = await api.post('/chat/completions', {
      model: MODEL,
      messages,
      max_tokens: 12,
      temperature: 0,
      ...more,
    });
    expect(response.status).toBe(200);
    const { choices, usage } = await json<Chat>(response);
    const { cached_tokens: read, cache_write_tokens: written } = usage.prompt_tokens_details;
    return { choices, prompt: usage.prompt_tokens, read, written };
  };
  return { api, engine, chat };
}

describe('a real model', () => {
  test('keeps the prompt up to a breakpoint, and answers the same from there', async () => {
    const { chat } = await realModel();
    const first = await chat([system(KEEP), user('Hi')], EXPLICIT);
    expect(first).toMatchObject({ read: 0 });
    expect(first.written).toBeGreaterThan(10);
    const again = await chat([system(KEEP), user('Hi')], EXPLICIT);
    expect(again).toEqual({ ...first, read: first.written, written: 0 });
    const other = await chat([system(KEEP), user('What is your name?')], EXPLICIT);
    expect(other).toMatchObject({ read: first.written, written: 0 });
  });

  test('answers byte for byte the same from a copy as without one, however it samples', async () => {
    const kept = await realModel();
    await kept.chat([system(KEEP), user('Hello')], EXPLICIT);
    const ways = [
      {},
      { temperature: 0.9, seed: 5 },
      { temperature: 1, seed: 6, top_p: 0.9, frequency_penalty: 0.5, n: 2 },
      { response_format: { type: 'json_object' } },
      { logprobs: true, top_logprobs: 3 },
    ];
    for (const way of ways) {
      const messages = [system(KEEP), user('Tell me about the weather.')];
      const fresh = await realModel();
      const expected = await fresh.chat(messages, { ...EXPLICIT, ...way });
      const answer = await kept.chat(messages, { ...EXPLICIT, ...way });
      expect(answer.choices).toEqual(expected.choices);
      expect(answer).toMatchObject({ read: expected.written, written: 0 });
    }
  });

  test('whose state cannot be cut shares the beginnings of its prompts by copies alone', async () => {
    const file = Uint8Array.from(tinyMamba());
    const { chat } = await realModel(file);
    const plain = [system(), user('Hi')];
    await chat(plain);
    expect(await chat([system(), user('What is your name?')])).toMatchObject({ read: 0 });
    const first = await chat([system(KEEP), user('Hi')]);
    expect(first).toMatchObject({ read: 0 });
    expect(first.written).toBeGreaterThan(10);
    const other = [system(KEEP), user('What is your name?')];
    const again = await chat(other, { logprobs: true, top_logprobs: 3 });
    expect(again).toMatchObject({ read: first.written, written: 0 });
    const fresh = await (await realModel(file)).chat(other, { logprobs: true, top_logprobs: 3 });
    expect(fresh).toMatchObject({ read: 0, written: first.written });
    expect(again.choices).toEqual(fresh.choices);
  });

  test('reads no cache and leaves none for explicit requests without breakpoints', async () => {
    const { chat } = await realModel();
    const messages = [system(), user('Hi')];
    expect(await chat(messages, EXPLICIT)).toMatchObject({ read: 0, written: 0 });
    expect(await chat(messages, EXPLICIT)).toMatchObject({ read: 0, written: 0 });
    // The request has left nothing for others, and reads nothing of theirs.
    const shared = await chat(messages);
    expect(shared).toMatchObject({ read: 0 });
    expect(await chat(messages)).toMatchObject({ read: shared.prompt - 1 });
    expect(await chat(messages, EXPLICIT)).toMatchObject({ read: 0, written: 0 });
    expect(await chat([system(KEEP), user('Hi')])).toMatchObject({ read: shared.prompt - 1 });
  });

  test('keeps the last four of more breakpoints', async () => {
    const { chat } = await realModel();
    const texts = ['One. ', 'Two. ', 'Three. ', 'Four. ', 'Five. ', 'Six. '];
    const all = [user(texts.map((each) => part(each, KEEP)))];
    const first = await chat(all, EXPLICIT);
    expect(first.written).toBeGreaterThan(0);
    const readOf = async (count: number) => {
      const parts = [...texts.slice(0, count), 'Something else.'].map((each) => part(each));
      const messages = [user([...parts.slice(0, -1), part('Something else.', KEEP)])];
      return (await chat(messages, EXPLICIT)).read;
    };
    // Copies of the first two were never made.
    expect(await readOf(2)).toBe(0);
    const three = await readOf(3);
    expect(three).toBeGreaterThan(0);
    expect(await readOf(5)).toBeGreaterThan(three);
  });

  test('keeps copies of each client for itself', async () => {
    const { api, chat } = await realModel();
    await chat([system(KEEP), user('Hi')], EXPLICIT);
    const key = createKey();
    await api.keys.add(key, { label: 'another' });
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await api.post(
      '/chat/completions',
      { model: MODEL, messages: [system(KEEP), user('Hi')], max_tokens: 3, ...EXPLICIT },
      { headers },
    );
    const { usage } = await json<Chat>(response);
    expect(usage.prompt_tokens_details.cached_tokens).toBe(0);
    expect(usage.prompt_tokens_details.cache_write_tokens).toBeGreaterThan(10);
  });

  test('copies what Anthropic’s cache_control marks: tools, system, blocks, the end', async () => {
    const { api } = await realModel();
    const send = async (more: object) => {
      const body = { model: MODEL, max_tokens: 3, messages: [user('Hi')], ...more };
      const message = await json<{ usage: Record<string, number> }>(
        await api.post('/messages', body),
      );
      const { usage } = message;
      return {
        rest: usage['input_tokens'] ?? NaN,
        written: usage['cache_creation_input_tokens'] ?? NaN,
        read: usage['cache_read_input_tokens'] ?? NaN,
      };
    };
    const tool = { name: 'f', input_schema: { type: 'object', properties: {} } };
    const marked = [
      { tools: [{ ...tool, cache_control: EPHEMERAL }] },
      { system: [{ type: 'text', text: SYSTEM, cache_control: { ...EPHEMERAL, ttl: '1h' } }] },
      { messages: [user([{ type: 'text', text: 'Good morning!', cache_control: EPHEMERAL }])] },
      { messages: [user('Good evening!')], cache_control: EPHEMERAL },
    ];
    for (const each of marked) {
      const { written, read, rest } = await send(each);
      expect(written, JSON.stringify(each)).toBeGreaterThan(0);
      expect(rest).toBeGreaterThan(0);
      expect(read).toBeGreaterThanOrEqual(0);
    }
  });

  test('reads the input of decisions once, also if nothing may be kept', async () => {
    const { api } = await realModel();
    const decide = async (more: object) => {
      const response = await api.post('/decisions', {
        model: MODEL,
        input: [user([{ type: 'input_text', text: SYSTEM, ...more }])],
        questions: ['Is it kind?', 'Is it long?'].map((instructions) => ({
          type: 'predicate',
          instructions,
        })),
        ...EXPLICIT,
      });
      expect(response.status).toBe(200);
      const body = await json<{
        answers: object[];
        usage: {
          input_tokens: number;
          input_tokens_details: { cached_tokens: number; cache_write_tokens: number };
        };
      }>(response);
      return {
        ...body.usage.input_tokens_details,
        answers: body.answers,
        all: body.usage.input_tokens,
      };
    };
    const first = await decide({});
    expect(first).toMatchObject({ cached_tokens: 0, cache_write_tokens: 0 });
    expect(await decide({})).toEqual(first);
    const kept = await decide({ prompt_cache_breakpoint: KEEP });
    expect(kept).toMatchObject({ cached_tokens: 0, all: first.all });
    const written = kept.cache_write_tokens;
    expect(written).toBeGreaterThan(10);
    const again = await decide({ prompt_cache_breakpoint: KEEP });
    expect(again).toMatchObject({ cached_tokens: written, answers: kept.answers });
  });
});
