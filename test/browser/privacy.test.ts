import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright/test';
import { expect, launchProfile, openPage, test, TINY } from './support/fixtures.ts';
import { filesWithText } from './support/files-with-text.ts';
import { placesWithText } from './support/stored-text.ts';

/** Words that the model knows how to repeat, together found nowhere else. */
const MARKER = 'purple garden window';

interface Profile {
  context: BrowserContext;
  folder: string;
}

/** A profile whose folder is still there after the browser has ended. */
const withFolder = test.extend<{ kept: Profile }>({
  kept: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'slashv1-privacy-'));
    const context = await launchProfile(folder);
    await use({ context, folder });
    await context.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  },
});

/** All that the pages and workers of a context write to their consoles, as it comes. */
function consoleOf(context: BrowserContext): string[] {
  const lines: string[] = [];
  context.on('console', (message) => lines.push(message.text()));
  context.on('weberror', (error) => lines.push(error.error().message));
  return lines;
}

/** One conversation over every endpoint that takes text, each answered and one cut short. */
async function converse(page: Page): Promise<string[]> {
  return page.evaluate(
    async ([model, marker]) => {
      const { completions } = window.client.chat;
      const say = {
        ...{ model, temperature: 0, max_tokens: 60 },
        messages: [{ role: 'user' as const, content: `Say ${marker}.` }],
      };
      const whole = await completions.create(say);
      const text = whole.choices[0]?.message.content ?? '';
      const stream = await completions.create({ ...say, stream: true });
      for await (const { choices } of stream) if (choices[0]?.delta.content) break;
      const format = {
        ...{ type: 'json_schema' as const },
        json_schema: { name: 'echo', strict: true, schema: { enum: [{ said: marker }] } },
      };
      const structured = await completions.create({ ...say, response_format: format });
      const tool = {
        name: 'echo',
        description: `Says ${marker}`,
        parameters: {
          ...{ type: 'object', required: ['text'], additionalProperties: false },
          properties: { text: { type: 'string', const: marker } },
        },
      };
      const called = await completions.create({
        ...{ ...say, max_tokens: 200, tool_choice: 'required' },
        ...{ tools: [{ type: 'function', function: tool }], parallel_tool_calls: false },
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
        ...{ model, temperature: 0, max_tokens: 60 },
        prompt: `<|im_start|>user\nSay ${marker}.<|im_end|>\n<|im_start|>assistant\n`,
      });
      const refused = await completions
        .create({ ...say, model: marker })
        .catch((error: unknown) => String(error));
      const answered = [
        text,
        JSON.stringify(calls),
        structured.choices[0]?.message.content,
        raw.choices[0]?.text,
        refused,
      ];
      return answered.map(String);
    },
    [TINY, MARKER] as const,
  );
}

/** Puts the marker where prompts could end up by mistake. */
async function plant(page: Page, marker: string): Promise<void> {
  await page.evaluate(async (text) => {
    localStorage.setItem('a', text);
    sessionStorage.setItem('a', text);
    await (await caches.open('planted')).put('/x', new Response(text));
    const root = await navigator.storage.getDirectory();
    const file = await (await root.getFileHandle('a.txt', { create: true })).createWritable();
    await file.write(text);
    await file.close();
    await new Promise<void>((resolve, reject) => {
      const opening = indexedDB.open('planted');
      opening.onupgradeneeded = () => opening.result.createObjectStore('planted');
      opening.onerror = () => reject(opening.error ?? new Error('IndexedDB failed.'));
      opening.onsuccess = () => {
        const transaction = opening.result.transaction('planted', 'readwrite');
        transaction.objectStore('planted').put(new Blob(['…', text]), 1);
        transaction.oncomplete = () => resolve();
      };
    });
    console.log(`page: ${text}`);
    const script = URL.createObjectURL(
      new Blob([`console.warn('worker:', ${JSON.stringify(text)})`]),
    );
    const worker = new Worker(script);
    worker.onerror = (event) => console.error(event.message);
  }, marker);
}

withFolder(
  'of a conversation nothing is left in storage, files or logs',
  async ({ kept, site }) => {
    const { context, folder } = kept;
    const logged = consoleOf(context);
    const page = await openPage(context, site.url);
    await page.evaluate((model) => window.begin({ model }), TINY);

    // What is looked for was there to be kept.
    for (const answer of await converse(page)) expect(answer).toContain(MARKER);

    expect(await placesWithText(page, MARKER)).toEqual([]);
    expect(logged.filter((line) => line.includes(MARKER))).toEqual([]);
    expect(site.requests.filter((path) => decodeURI(path).includes(MARKER))).toEqual([]);
    await context.close();
    expect(filesWithText(folder, MARKER)).toEqual([]);
  },
);

withFolder('and this would be noticed', async ({ kept, site }) => {
  const { context, folder } = kept;
  const logged = consoleOf(context);
  const page = await openPage(context, site.url);
  await page.evaluate((model) => window.begin({ model }), TINY);
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
