import type { Page } from 'playwright/test';
import { HEALTH_HEADER, HEALTH_PATH } from '../../src/core/realms/messages.ts';
import { TINY } from '../browser/support/fixtures.ts';

/** The kinds of requests that a page makes; it checks every answer. */
export const KINDS = [
  'streamed',
  'whole',
  'aborted',
  'unread',
  'structured',
  'burst',
  'models',
  'refused',
] as const;
export type Kind = (typeof KINDS)[number];

const PROMPTS = ['Hello!', 'What is the capital of France?', 'Count to 30.'];

declare global {
  interface Window {
    soak: {
      /** Prompt → the model's answer. */
      texts: Map<string, string>;
      ask(kind: Kind, chance: number): Promise<string>;
    };
  }
}

/** The model's answers. */
export type Texts = [prompt: string, text: string][];

/**
 * Prepares a page without the page library to send requests with this key.
 *
 * @param texts - the expected answers; the page asks for those that are missing
 */
export function prepareReader(page: Page, apiKey: string, texts: Texts = []): Promise<Texts> {
  return page.evaluate(load, [TINY, apiKey, PROMPTS, texts] as const);
}

/** Resolves with `ok`, or with what was wrong with the answer. */
export function ask(page: Page, kind: Kind, chance: number): Promise<string> {
  return page.evaluate(([asked, drawn]) => window.soak.ask(asked, drawn), [kind, chance] as const);
}

/** False if this page's requests reach the site's server instead of the service worker. */
export function isServed(page: Page): Promise<boolean> {
  return page.evaluate(
    async ([path, header]) =>
      fetch(path).then(
        ({ headers }) => headers.has(header),
        () => true,
      ),
    [HEALTH_PATH, HEALTH_HEADER] as const,
  );
}

/** Runs in the page: it can use nothing from this file. */
async function load([model, apiKey, prompts, known]: readonly [
  string,
  string,
  string[],
  Texts,
]): Promise<Texts> {
  // Otherwise the browser keeps an entry for each of the first 250 requests, which looks like growth.
  performance.setResourceTimingBufferSize(0);
  // The first fetch that fails makes the browser keep a JavaScript context of 82 kB.
  await fetch('http://127.0.0.1:1/').catch(() => undefined);
  const baseURL = new URL('v1', document.baseURI).href;
  const client = new window.OpenAI({
    baseURL,
    apiKey,
    dangerouslyAllowBrowser: true,
    maxRetries: 0,
  });
  const texts = new Map<string, string>(known);
  const body = (content: string) => ({
    model,
    temperature: 0,
    messages: [{ role: 'user' as const, content }],
  });
  const whole = async (content: string) =>
    (await client.chat.completions.create(body(content))).choices[0]?.message.content ?? '';
  const streamed = async (content: string, until = Infinity) => {
    let text = '';
    let pieces = 0;
    for await (const chunk of await client.chat.completions.create({
      ...body(content),
      stream: true,
    })) {
      text += chunk.choices[0]?.delta.content ?? '';
      if (++pieces > until) break;
    }
    return text;
  };
  const compared = (prompt: string, text: string) =>
    text === texts.get(prompt) ? 'ok' : `${prompt} was answered with ${text}`;
  const pick = (chance: number) => prompts[Math.floor(chance * prompts.length)] ?? '';
  const kinds: Record<Kind, (chance: number) => Promise<string>> = {
    streamed: async (chance) => compared(pick(chance), await streamed(pick(chance))),
    whole: async (chance) => compared(pick(chance), await whole(pick(chance))),
    aborted: async (chance) => {
      const prompt = 'Count to 30.';
      const text = await streamed(prompt, 1 + Math.floor(chance * 20));
      return texts.get(prompt)?.startsWith(text) ? 'ok' : `the beginning was ${text}`;
    },
    unread: async () => {
      const response = await client.chat.completions
        .create({ ...body('Count to 30.'), stream: true })
        .asResponse();
      await response.body?.cancel();
      return response.ok ? 'ok' : `the status was ${response.status}`;
    },
    structured: async (chance) => {
      // Hardly any two requests have the same grammar, so that most are compiled.
      const items = { type: 'integer', maximum: 1e6 + Math.floor(chance * 1e9) };
      const schema = { type: 'array', items, minItems: 2, maxItems: 3 };
      const answer = await client.chat.completions.create({
        ...body('Count to 30.'),
        max_tokens: 60,
        response_format: { type: 'json_schema', json_schema: { name: 'numbers', schema } },
      });
      const [choice] = answer.choices;
      if (choice?.finish_reason === 'length') return 'ok';
      const value: unknown = JSON.parse(choice?.message.content ?? '');
      return Array.isArray(value) && value.length >= 2 ? 'ok' : `it was ${JSON.stringify(value)}`;
    },
    burst: async () => {
      const all = await Promise.all(Array.from({ length: 8 }, () => whole('Hello!')));
      return all.every((text) => text === texts.get('Hello!')) ? 'ok' : `some of ${all.join()}`;
    },
    models: async () => {
      const { data } = await client.models.list();
      return data.some(({ id }) => id === model) ? 'ok' : 'the model is not listed';
    },
    refused: async () => {
      const { status } = await client.chat.completions
        .create({ ...body('Hello!'), temperature: 99 })
        .then(
          () => ({ status: 200 }),
          (error: { status: number }) => error,
        );
      return status === 400 ? 'ok' : `the status was ${status}`;
    },
  };
  window.soak = {
    texts,
    ask: (kind, chance) =>
      kinds[kind](chance).catch((error: unknown) => `${kind} failed: ${String(error)}`),
  };
  for (const prompt of prompts) {
    if (!texts.has(prompt)) texts.set(prompt, await whole(prompt));
  }
  return [...texts];
}
