import type { Frame, Page } from 'playwright/test';
import type { ShareOptions } from '../../../src/index.ts';
import type {} from '../site/frame-page.ts';
import { openFrame } from '../support/browser/frames.ts';
import { expect, openStarted, test as base, TINY } from '../support/fixtures.ts';
import { withHold, type Hold } from '../support/hold.ts';
import { COUNT, GREETING, user } from '../support/prompts.ts';
import { joe } from '../support/media/speaking.ts';
import { PIPER, serveTestSite, type TestSite } from '../support/site.ts';

/** A site of its own, and a page in which the API runs. */
const test = base.extend<{ ownSite: TestSite; ownHold: Hold; page: Page }>({
  ownSite: async ({ closing }, use) => {
    const site = closing(await serveTestSite('/', ['tiny-chat', 'test-piper']));
    site.intercept = (_request, response) => {
      // A page without an origin may import modules only like this.
      response.setHeader('access-control-allow-origin', '*');
      return false;
    };
    await use(site);
  },
  ownHold: [({ ownSite }, use) => withHold(ownSite, use), { auto: true }],
  page: async ({ fresh, ownSite }, use) => {
    await use(await openStarted(fresh, ownSite.url, { model: TINY }));
  },
});

declare global {
  interface Window {
    shares: Awaited<ReturnType<Window['v1']['share']>>[];
  }
}

/** The site's URL at another host, which browsers treat as another site. */
function otherSite({ url }: TestSite): URL {
  const other = new URL('lent.html', url);
  other.hostname = other.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
  return other;
}

/** Lends to the last frame of the page. */
function share(page: Page, origin: string, options: ShareOptions = {}): Promise<void> {
  return page.evaluate(
    async ([to, given]) => {
      const frame = [...document.querySelectorAll('iframe')].at(-1)?.contentWindow;
      if (!frame) throw new Error('There is no frame.');
      (window.shares ??= []).push(await window.v1.share(frame, to, given));
    },
    [origin, options] as const,
  );
}

/** Text of a streamed chat of the openai package in the frame. */
function chat(frame: Frame): Promise<string> {
  return frame.evaluate(
    async ([model, message]) => {
      const stream = await window.lentClient.chat.completions.create({
        model,
        messages: [message],
        temperature: 0,
        stream: true,
      });
      const chunks = await Array.fromAsync(stream);
      return chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
    },
    [TINY, user('Hello!')] as const,
  );
}

/** Code of the error with which `connect` fails. */
function connectFailure(frame: Frame, origin?: string): Promise<string> {
  return frame.evaluate(async (expected) => {
    const options = { timeoutMs: 1_000, ...(expected !== undefined && { origin: expected }) };
    return window.connectParent(options).then(
      () => 'connected',
      (error: unknown) => (error instanceof window.ConnectError ? error.code : String(error)),
    );
  }, origin);
}

const labels = (page: Page) =>
  page.evaluate(async () => (await window.v1.keys.list()).map(({ label }) => label).toSorted());

test('a sandboxed frame without an origin chats with the API of its parent', async ({
  page,
  ownSite,
}) => {
  const frame = await openFrame(
    page,
    { sandbox: 'allow-scripts', src: '/lent.html' },
    'connectParent',
  );
  expect(await frame.evaluate(() => window.origin)).toBe('null');
  const connecting = frame.evaluate(() => window.connectParent());
  await share(page, 'null', { label: 'widget' });
  expect(await connecting).toMatchObject({ baseURL: `${ownSite.url}v1` });
  expect(await chat(frame)).toBe(GREETING);
  expect(await labels(page)).toEqual(['session', 'widget']);
  // A second script of the same document connects.
  await frame.evaluate(async () => {
    const first = window.lentClient;
    await window.connectParent();
    window.lentClient = first;
  });
  expect(await chat(frame)).toBe(GREETING);
});

test('a frame of another site streams, sends large bodies and gets audio', async ({
  page,
  ownSite,
}) => {
  const other = otherSite(ownSite);
  const frame = await openFrame(page, { src: other.href }, 'connectParent');
  await share(page, other.origin);
  await frame.evaluate((origin) => window.connectParent({ origin }), new URL(ownSite.url).origin);
  expect(await chat(frame)).toBe(GREETING);
  const large = await frame.evaluate(async (model) => {
    const content = 'word '.repeat(1_000_000);
    const messages = [{ role: 'user' as const, content }];
    try {
      await window.lentClient.chat.completions.create({ model, messages });
    } catch (error) {
      return (error as { code?: string }).code;
    }
    return 'answered';
  }, TINY);
  expect(large).toBe('context_length_exceeded');
  const speech = await frame.evaluate(
    async (request) => {
      const response = await window.lent.fetch(`${window.lent.baseURL}/audio/speech`, {
        method: 'POST',
        body: JSON.stringify(request),
      });
      const bytes = await response.arrayBuffer();
      return [response.headers.get('content-type'), bytes.byteLength > 10_000];
    },
    { ...joe('Hello there, this is a longer text.', { response_format: 'wav' }), model: PIPER },
  );
  expect(speech).toEqual(['audio/wav', true]);
});

test('an abort reaches the parent, and other addresses go to the network of the frame', async ({
  page,
  ownSite,
  ownHold,
}) => {
  const frame = await openFrame(
    page,
    { sandbox: 'allow-scripts', src: '/lent.html' },
    'connectParent',
  );
  await share(page, 'null');
  await frame.evaluate(() => window.connectParent());
  await ownHold.at({ tokens: 10 });
  const outcome = await frame.evaluate(
    async (body) => {
      const { lent } = window;
      const aborting = new AbortController();
      const response = await lent.fetch(`${lent.baseURL}/chat/completions`, {
        method: 'POST',
        body,
        signal: aborting.signal,
      });
      const reader = response.body?.getReader();
      await reader?.read();
      aborting.abort(new Error('enough'));
      const rest = async () => {
        for (;;) if ((await reader?.read())?.done) return 'complete';
      };
      const aborted = await rest().catch((error: Error) => error.message);
      return [
        aborted,
        await (await lent.fetch('frame-page.js')).text().then(({ length }) => length > 100),
      ];
    },
    JSON.stringify({ ...COUNT, model: TINY, stream: true }),
  );
  expect(outcome).toEqual(['enough', true]);
  await ownHold.release();
  expect(await chat(frame)).toBe(GREETING);
  expect(ownSite.requests).toContain('/frame-page.js');
});

test('the key can do what the parent gave it, and no more', async ({ page }) => {
  const frame = await openFrame(
    page,
    { sandbox: 'allow-scripts', src: '/lent.html' },
    'connectParent',
  );
  await share(page, 'null', { models: ['test/other'] });
  await frame.evaluate(() => window.connectParent());
  const pageKey = await page.evaluate(() => window.v1.apiKey);
  const statuses = await frame.evaluate(
    async ([model, key]) => {
      const { baseURL, fetch: ask } = window.lent;
      const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] });
      const headers = { authorization: `Bearer ${key}`, 'x-api-key': key };
      const responses = await Promise.all([
        ask(`${baseURL}/chat/completions`, { method: 'POST', body }),
        ask(`${baseURL}/chat/completions`, { method: 'POST', body, headers }),
        ask(`${baseURL}/models/${model}`, { method: 'DELETE', headers }),
        ask(`${baseURL}/models`),
      ]);
      return responses.map(({ status }) => status);
    },
    [TINY, pageKey] as const,
  );
  expect(statuses).toEqual([403, 403, 403, 200]);
});

test('a foreign window gets nothing: another frame, another origin, a page in no frame', async ({
  page,
  ownSite,
}) => {
  const other = otherSite(ownSite);
  const stranger = await openFrame(page, { src: other.href }, 'connectParent');
  const sandboxed = await openFrame(
    page,
    { sandbox: 'allow-scripts', src: '/lent.html' },
    'connectParent',
  );
  await share(page, 'https://elsewhere.example');
  expect(await connectFailure(sandboxed)).toBe('no_answer');
  await share(page, 'null');
  expect(await connectFailure(stranger)).toBe('no_answer');
  // The frame itself asks only the origin that it names.
  expect(await connectFailure(sandboxed, 'https://elsewhere.example')).toBe('no_answer');
  expect(await labels(page)).toEqual(['session']);
  expect(await connectFailure(sandboxed)).toBe('connected');
  await expect(share(page, `${other.origin}/`)).rejects.toThrow('origin of the frame');
  const alone = await page.context().newPage();
  await alone.goto(`${ownSite.url}lent.html`);
  await alone.waitForFunction(() => 'connectParent' in window);
  expect(await connectFailure(alone.mainFrame())).toBe('no_parent');
});

for (const [how, end] of [
  ['revoke()', () => window.shares[0]?.revoke()],
  ['stop()', () => window.v1.stop()],
] as const) {
  test(`${how} breaks a stream under way and revokes the key`, async ({ page, ownHold }) => {
    const frame = await openFrame(
      page,
      { sandbox: 'allow-scripts', src: '/lent.html' },
      'connectParent',
    );
    await share(page, 'null');
    const { apiKey } = await frame.evaluate(() => window.connectParent());
    await ownHold.at({ tokens: 10 });
    const reading = frame.evaluate(
      async (body) => {
        const { lent } = window;
        const init = { method: 'POST', body };
        const response = await lent.fetch(`${lent.baseURL}/chat/completions`, init);
        const reader = response.body?.getReader();
        await reader?.read();
        document.title = 'reading';
        const rest = async () => {
          for (;;) if ((await reader?.read())?.done) return 'complete';
        };
        const code = (error: unknown) =>
          error instanceof window.ConnectError ? error.code : String(error);
        return [await rest().catch(code), await lent.fetch(lent.baseURL).catch(code)];
      },
      JSON.stringify({ ...COUNT, model: TINY, stream: true }),
    );
    await frame.waitForFunction(() => document.title === 'reading');
    await page.evaluate(end);
    expect(await reading).toEqual(['disconnected', 'disconnected']);
    const status = await page.evaluate(async (key) => {
      const headers = { authorization: `Bearer ${key}` };
      return (await fetch('v1/models', { headers })).status;
    }, apiKey);
    expect(status).toBe(401);
  });
}

test('the key ends with the document of the frame; the next document connects again', async ({
  page,
}) => {
  const frame = await openFrame(
    page,
    { sandbox: 'allow-scripts', src: '/lent.html' },
    'connectParent',
  );
  await share(page, 'null');
  const first = await frame.evaluate(() => window.connectParent());
  await frame.evaluate(() => location.reload()).catch(() => undefined);
  await expect.poll(() => labels(page)).toEqual(['session']);
  await frame.waitForFunction(() => 'connectParent' in window && !('lent' in window));
  const second = await frame.evaluate(() => window.connectParent());
  expect(second.apiKey).not.toBe(first.apiKey);
  expect(await chat(frame)).toBe(GREETING);
  await page.evaluate(() => document.querySelector('iframe')?.remove());
  await expect.poll(() => labels(page)).toEqual(['session']);
});
