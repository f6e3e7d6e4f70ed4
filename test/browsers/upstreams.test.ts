import { openUpstream, type UpstreamServer } from '../support/servers/upstream-server.ts';
import { expect, test as base } from './support/fixtures.ts';
import type { Tab } from './support/driver.ts';

const BIG = 'meta-llama/Llama-3.3-70B-Instruct';

const test = base.extend<{ cluster: UpstreamServer; tab: Tab }>({
  cluster: async ({}, use) => {
    const cluster = await openUpstream([BIG]);
    await use(cluster);
    await cluster.close();
  },
  tab: async ({ site, newTab, cluster }, use) => {
    const tab = await newTab(site.url);
    await tab.evaluate(async (baseURL) => {
      let count = 0;
      const headers = () => Promise.resolve({ authorization: `Bearer token-${++count}` });
      const upstreams = [{ name: 'cluster', baseURL, models: ['meta-llama/*'], headers }];
      await window.begin({ upstreams, engines: ['llamacpp'] });
    }, cluster.baseURL);
    await use(tab);
  },
});

const event = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;

test('a stream of an upstream comes event by event, with headers that the page gives', async ({
  cluster,
  tab,
}) => {
  const more = Promise.withResolvers<void>();
  cluster.answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event('From '));
    void more.promise.then(() => response.end(`${event('afar.')}data: [DONE]\n\n`));
  };
  await tab.evaluate(async (model) => {
    const messages = [{ role: 'user' as const, content: 'Hi' }];
    const { data, response } = await window.client.chat.completions
      .create({ model, messages, stream: true })
      .withResponse();
    const seen = { text: '', servedBy: response.headers.get('x-slashv1-served-by'), ended: false };
    Object.assign(window, { seen });
    void (async () => {
      for await (const { choices } of data) seen.text += choices[0]?.delta.content ?? '';
      seen.ended = true;
    })();
  }, BIG);
  const seen = () => tab.evaluate(() => (window as unknown as { seen: unknown }).seen);
  const servedBy = 'upstream; name=cluster';
  await expect.poll(seen).toEqual({ text: 'From ', servedBy, ended: false });
  more.resolve();
  await expect.poll(seen).toEqual({ text: 'From afar.', servedBy, ended: true });
  const [request, ...others] = cluster.requests.filter(({ path }) => path !== '/v1/models');
  expect(others).toEqual([]);
  expect(request?.headers.authorization).toMatch(/^Bearer token-\d+$/);
  expect(JSON.stringify(request?.headers)).not.toContain('sk-slashv1-');
});

test('an abort ends the request of the upstream, and a stream that breaks off fails', async ({
  cluster,
  tab,
}) => {
  const closed = Promise.withResolvers<void>();
  cluster.answer = (response) => {
    response.on('close', closed.resolve);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    // Firefox tells the service worker of an abort when the next piece arrives.
    const timer = setInterval(() => response.write(event('From ')), 50);
    response.on('close', () => clearInterval(timer));
  };
  /** Reads until the end, or aborts after the first event. */
  const read = (isAborted: boolean) =>
    tab.evaluate(
      async ([model, aborts]) => {
        const messages = [{ role: 'user' as const, content: 'Hi' }];
        const body = { model, messages, stream: true } as const;
        const stream = await window.client.chat.completions.create(body);
        try {
          for await (const _event of stream) if (aborts) stream.controller.abort();
        } catch {
          return 'broken';
        }
        return 'ended';
      },
      [BIG, isAborted] as const,
    );
  expect(await read(true)).toBe('ended');
  await closed.promise;
  cluster.answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(event('From '));
  };
  expect(await read(false)).toBe('broken');
});
