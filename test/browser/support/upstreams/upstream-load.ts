import type { Page } from 'playwright/test';
import { EVENTS, MODEL } from '../../../support/servers/http2-upstream.ts';

declare global {
  interface Window {
    /** How much of the endless answer the page has read. */
    slow: { pieces: number; bytes: number };
  }
}

/** Starts a page whose service worker forwards requests to this server. The page reads one answer slowly. */
export async function beginWithSlowReader(page: Page, baseURL: string): Promise<void> {
  await page.evaluate(
    ([url, model]) =>
      window.begin({
        upstreams: [
          { name: 'load', baseURL: url, models: [model], headers: () => ({ authorization: 'x' }) },
        ],
      }),
    [baseURL, MODEL] as const,
  );
  await readSlowly(page);
}

/** Begins an endless answer and reads a piece of it each second. */
async function readSlowly(page: Page): Promise<void> {
  await page.evaluate(async (model) => {
    window.slow = { pieces: 0, bytes: 0 };
    const { body } = await window.post('audio/speech', { model, seed: 0, endless: true });
    const reader = body?.getReader();
    const read = async () => {
      const { value } = (await reader?.read()) ?? {};
      if (!value) return;
      window.slow.pieces++;
      window.slow.bytes += value.length;
      setTimeout(() => void read(), 1000);
    };
    await read();
  }, MODEL);
}

/** Lets clients read one stream after the other until the time is over. Each reads at least one. */
export function streamAll(
  page: Page,
  clients: number,
  ms: number,
): Promise<{ count: number; wrong: string[] }> {
  return page.evaluate(
    async ([model, streams, events, time]) => {
      const end = performance.now() + time;
      const wrong: string[] = [];
      let count = 0;
      const stream = async () => {
        const seed = Math.floor(Math.random() * 1e9);
        const messages = [{ role: 'user' as const, content: 'Hi' }];
        const answer = await window.client.chat.completions.create({
          model,
          messages,
          seed,
          stream: true,
        });
        let text = '';
        for await (const { choices } of answer) text += choices[0]?.delta.content ?? '';
        const expected = Array.from({ length: events }, (_, event) => `${seed}.${event} `).join('');
        if (text !== expected) wrong.push(`${text.length} of ${expected.length} characters`);
        count++;
      };
      const client = async () => {
        do await stream().catch((error: unknown) => wrong.push(String(error)));
        while (performance.now() < end);
      };
      await Promise.all(Array.from({ length: streams }, client));
      return { count, wrong: wrong.slice(0, 5) };
    },
    [MODEL, clients, EVENTS, ms] as const,
  );
}
