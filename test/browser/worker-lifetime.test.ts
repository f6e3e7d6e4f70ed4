import { expect, test } from 'playwright/test';
import { RawBrowser, type RawPage } from './support/raw-browser.ts';
import { serveTestSite, TINY } from './support/site.ts';

/** In the page: milliseconds until the API has answered, service worker's start included. */
const TIME_TO_ANSWER = `(async () => {
  const begin = performance.now();
  const headers = { authorization: 'Bearer ' + v1.apiKey };
  const response = await fetch(v1.baseURL + '/models', { headers });
  await response.json();
  return response.ok ? performance.now() - begin : NaN;
})()`;

const ASK = `client.chat.completions.create({
  model: ${JSON.stringify(TINY)},
  messages: [{ role: 'user', content: 'Hello!' }],
  temperature: 0,
}).then(({ choices }) => choices[0].message.content)`;

async function withPage(use: (page: RawPage) => Promise<void>): Promise<void> {
  const site = await serveTestSite('/', ['tiny-chat']);
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
    const times: number[] = [];
    for (let round = 0; round < 5; round++) {
      await page.stopServiceWorkers();
      times.push(Number(await page.evaluate(TIME_TO_ANSWER)));
    }
    await page.stopServiceWorkers();
    expect(await page.evaluate(ASK)).toBe('Hello! How can I help you?');
    // The engine never had to load anything again.
    expect(await page.evaluate('stages')).not.toContain('load');
    times.sort((a, b) => a - b);
    expect(times[2]).toBeLessThan(50);
  });
});
