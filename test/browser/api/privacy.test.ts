import type { BrowserContext, Page } from 'playwright/test';
import { expect, openStarted, restart, test, TINY } from '../support/fixtures.ts';
import { filesWithText } from '../support/storage/files-with-text.ts';
import { placesWithText } from '../support/storage/stored-text.ts';

/** The model can repeat these words, which stand together nowhere else. */
const MARKER = 'purple garden window';

/** Collects what the pages and workers of a profile write to their consoles. */
function consoleOf(context: BrowserContext): string[] {
  const lines: string[] = [];
  context.on('console', (message) => lines.push(message.text()));
  context.on('weberror', (error) => lines.push(error.error().message));
  return lines;
}

/** Sends the marker to every endpoint for text; returns the answers. One stream is aborted. */
async function converse(page: Page): Promise<string[]> {
  return page.evaluate(
    async ([model, marker]) => {
      const { completions } = window.client.chat;
      const say = {
        model,
        temperature: 0,
        max_tokens: 60,
        messages: [{ role: 'user' as const, content: `Say ${marker}.` }],
      };
      const whole = await completions.create(say);
      const text = whole.choices[0]?.message.content ?? '';
      const stream = await completions.create({ ...say, stream: true });
      for await (const { choices } of stream) if (choices[0]?.delta.content) break;
      const format = {
        type: 'json_schema' as const,
        json_schema: { name: 'echo', strict: true, schema: { enum: [{ said: marker }] } },
      };
      const structured = await completions.create({ ...say, response_format: format });
      const tool = {
        name: 'echo',
        description: `Says ${marker}`,
        parameters: {
          type: 'object',
          required: ['text'],
          additionalProperties: false,
          properties: { text: { type: 'string', const: marker } },
        },
      };
      const called = await completions.create({
        ...say,
        max_tokens: 200,
        tool_choice: 'required',
        tools: [{ type: 'function', function: tool }],
        parallel_tool_calls: false,
      });
      const calls = called.choices[0]?.message.tool_calls;
      await completions.create({
        ...say,
        messages: [
          ...say.messages,
          { role: 'assistant', content: null, tool_calls: calls ?? [] },
          { role: 'tool', content: marker, tool_call_id: calls?.[0]?.id ?? '' },
        ],
      });
      const raw = await window.client.completions.create({
        model,
        temperature: 0,
        max_tokens: 60,
        prompt: `<|im_start|>user\nSay ${marker}.<|im_end|>\n<|im_start|>assistant\n`,
      });
      const input = `Say ${marker}.`;
      const response = await window.client.responses.create({ model, input, temperature: 0 });
      const { baseURL, apiKey } = window.v1;
      const post = async (path: string, body: object) => {
        const headers = { authorization: `Bearer ${apiKey}` };
        const init = { method: 'POST', headers, body: JSON.stringify({ model, ...body }) };
        return (await fetch(`${baseURL}/${path}`, init)).text();
      };
      const { messages } = say;
      const message = await post('messages', { messages, max_tokens: 60, temperature: 0 });
      await post('messages/count_tokens', { messages });
      const tokens = await post('tokenize', { prompt: marker, return_token_strs: true });
      const back = await post('detokenize', JSON.parse(tokens));
      const refused = await completions
        .create({ ...say, model: marker })
        .catch((error: unknown) => String(error));
      const answered = [
        text,
        JSON.stringify(calls),
        structured.choices[0]?.message.content,
        raw.choices[0]?.text,
        refused,
        response.output_text,
        message,
        back,
      ];
      return answered.map(String);
    },
    [TINY, MARKER] as const,
  );
}

/** Puts the marker into every place where a prompt could be left by mistake. */
async function plant(page: Page, marker: string): Promise<void> {
  await page.evaluate(async (text) => {
    localStorage.setItem('a', text);
    sessionStorage.setItem('a', text);
    await (await caches.open('planted')).put('/x', new Response(text));
    const root = await navigator.storage.getDirectory();
    const file = await (await root.getFileHandle('a.txt', { create: true })).createWritable();
    await file.write(text);
    await file.close();
    const opening = indexedDB.open('planted');
    opening.onupgradeneeded = () => opening.result.createObjectStore('planted');
    const transaction = (await window.resultOf(opening)).transaction('planted', 'readwrite');
    transaction.objectStore('planted').put(new Blob(['…', text]), 1);
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    console.log(`page: ${text}`);
    const script = URL.createObjectURL(
      new Blob([`console.warn('worker:', ${JSON.stringify(text)})`]),
    );
    const worker = new Worker(script);
    worker.onerror = (event) => console.error(event.message);
  }, marker);
}

test('a conversation leaves nothing in storage, files or logs', async ({ kept, site }) => {
  const { context, folder } = kept;
  const logged = consoleOf(context);
  const page = await openStarted(context, site.url, { model: TINY });

  // Every answer had the marker, so each could have left it somewhere.
  for (const answer of await converse(page)) expect(answer).toContain(MARKER);

  expect(await placesWithText(page, MARKER)).toEqual([]);
  expect(logged.filter((line) => line.includes(MARKER))).toEqual([]);
  expect(site.requests.filter((path) => decodeURI(path).includes(MARKER))).toEqual([]);
  await context.close();
  expect(filesWithText(folder, MARKER)).toEqual([]);
});

/** Asks the engine for a copy of a long prompt, on disk if it may be there. @returns all files of the site */
async function keepLong(page: Page): Promise<string[]> {
  return page.evaluate(
    async ([model, text]) => {
      const content = [
        {
          type: 'text',
          text: text.repeat(100),
          prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' },
        },
      ];
      const messages = [
        { role: 'system', content },
        { role: 'user', content: 'Hi' },
      ];
      const body = { model, messages, max_tokens: 3, prompt_cache_retention: '24h' };
      await (await window.post('chat/completions', body)).json();
      const found: string[] = [];
      const visit = async (folder: FileSystemDirectoryHandle) => {
        for await (const [name, handle] of folder.entries()) {
          found.push(name);
          if (handle instanceof FileSystemDirectoryHandle) await visit(handle);
        }
      };
      await visit(await navigator.storage.getDirectory());
      const databases = await indexedDB.databases();
      found.push(...databases.flatMap(({ name = '' }) => (name.includes('prompts') ? [name] : [])));
      return found;
    },
    [TINY, `${MARKER} `] as const,
  );
}

test('a prompt is on disk only if the site and the request both want that, and never as text', async ({
  kept,
  site,
}) => {
  const { context, folder } = kept;
  const page = await openStarted(context, site.url, { model: TINY, engines: ['llamacpp'] });
  expect(await keepLong(page)).toEqual([]);
  await restart(page, { model: TINY, engines: ['llamacpp'], promptCache: { disk: false } });
  expect(await keepLong(page)).toEqual([]);
  await restart(page, { model: TINY, engines: ['llamacpp'], promptCache: { disk: true } });
  const answer = await page.evaluate(
    async ([model, text]) => {
      const messages = [
        { role: 'system', content: text.repeat(100) },
        { role: 'user', content: 'Hi' },
      ];
      return (await window.post('chat/completions', { model, messages, max_tokens: 3 })).status;
    },
    [TINY, `${MARKER} `] as const,
  );
  expect(answer).toBe(200);
  expect(await page.evaluate(() => window.v1.promptCache.size())).toEqual({ prompts: 0, bytes: 0 });
  // A folder, a file, and the database that knows of it.
  expect((await keepLong(page)).length).toBeGreaterThan(2);
  expect(await placesWithText(page, MARKER)).toEqual([]);
  await context.close();
  expect(filesWithText(folder, MARKER)).toEqual([]);
});

test('this test would find text in storage, files and logs', async ({ kept, site }) => {
  const { context, folder } = kept;
  const logged = consoleOf(context);
  const page = await openStarted(context, site.url, { model: TINY });
  await plant(page, MARKER);
  const [serviceWorker] = context.serviceWorkers();
  await serviceWorker?.evaluate((text) => console.error('service worker:', text), MARKER);

  expect((await placesWithText(page, MARKER)).sort()).toEqual([
    ...['Cache planted', 'IndexedDB planted', 'file a.txt', 'localStorage', 'sessionStorage'],
  ]);
  for (const where of ['page', 'worker', 'service worker']) {
    await expect.poll(() => logged).toContain(`${where}: ${MARKER}`);
  }
  await context.close();
  expect(filesWithText(folder, MARKER).length).toBeGreaterThan(2);
});
