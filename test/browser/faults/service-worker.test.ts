import { expect, test } from 'playwright/test';
import * as v from 'valibot';
import { RawBrowser, type RawPage } from '../support/raw-browser.ts';
import { streamInPage } from '../support/streamed.ts';
import { PIPER, serveTestSite, TINY } from '../support/site.ts';

/** In the page: the status of an answer that no engine is needed for. */
const LIST_MODELS = `fetch(v1.baseURL + '/models', { headers: { authorization: 'Bearer ' + v1.apiKey } })
  .then(({ status }) => status)`;

/** Without the client's own retries. */
const ASK = `client.chat.completions.create({
  model: ${JSON.stringify(TINY)},
  messages: [{ role: 'user', content: 'Hello!' }],
  temperature: 0,
}, { maxRetries: 0 }).then(({ choices }) => choices[0].message.content)`;

const brokenSchema = v.object({
  done: v.boolean(),
  error: v.string(),
  finishReasons: v.array(v.string()),
});

async function withPage(
  use: (page: RawPage) => Promise<void>,
  packs = ['tiny-chat'],
): Promise<void> {
  const site = await serveTestSite('/', packs);
  const browser = await RawBrowser.launch();
  try {
    const page = await browser.open(site.url);
    await page.evaluate(`begin({ model: ${JSON.stringify(TINY)} })`);
    await use(page);
  } finally {
    await browser.close();
    await site.close();
  }
}

test('a stopped service worker is back at once, with the model still loaded', async () => {
  await withPage(async (page) => {
    await page.evaluate(`stages = []; v1.onProgress(({ stage }) => stages.push(stage))`);
    expect(await page.evaluate(ASK)).toBe('Hello! How can I help you?');
    await page.stopServiceWorkers();
    expect(await page.evaluate(LIST_MODELS)).toBe(200);
    await page.stopServiceWorkers();
    expect(await page.evaluate(ASK)).toBe('Hello! How can I help you?');
    // The engine never had to load anything again.
    expect(await page.evaluate('stages')).not.toContain('load');
  });
});

test('a service worker stopped in the middle of a stream breaks it, and leaves nothing behind', async () => {
  test.setTimeout(240_000);
  await withPage(async (page) => {
    await page.evaluate(`stages = []; v1.onProgress(({ stage }) => stages.push(stage))`);
    const body = { messages: [{ role: 'user', content: 'Count to 100.' }], temperature: 0 };
    await page.evaluate(`(${String(streamInPage)})(${JSON.stringify([TINY, body])})`);
    await page.waitFor('streamed.text.length > 20');
    // With it, all that the key may ask for at once: as long as they live, another one is refused.
    await page.evaluate(`Array.from({ length: 63 }, () => {
      const abandoned = ${ASK};
      abandoned.catch(() => undefined);
    }).length`);
    await page.waitFor(`${ASK}.then(() => false, ({ status }) => status === 429)`);
    await page.stopServiceWorkers();
    await page.waitFor('streamed.ended');
    const { done, error, finishReasons } = v.parse(brokenSchema, await page.evaluate('streamed'));
    // The browser itself says that it broke: nothing in it looks like an end.
    expect({ done, finishReasons }).toEqual({ done: false, finishReasons: [] });
    expect(error).toContain('network error');
    await page.waitFor(`${ASK}.then((text) => text === 'Hello! How can I help you?', () => false)`);
    expect(await page.evaluate('stages')).not.toContain('load');
  });
});

test('a signed URL is good for a new service worker too, which has nothing of the old one', async () => {
  test.setTimeout(240_000);
  const speech = { model: PIPER, voice: 'joe', input: 'Hello there.' };
  const listen = `fetch(url, { headers: { range: 'bytes=0-1' } })
    .then(async (response) => [response.status, (await response.arrayBuffer()).byteLength])`;
  await withPage(
    async (page) => {
      await page.evaluate(`v1.speechUrl(${JSON.stringify(speech)}).then((made) => { url = made })`);
      expect(await page.evaluate(listen)).toEqual([206, 2]);
      await page.stopServiceWorkers();
      expect(await page.evaluate(listen)).toEqual([206, 2]);
    },
    ['tiny-chat', 'test-piper'],
  );
});
