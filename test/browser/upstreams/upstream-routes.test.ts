import type { Page } from 'playwright/test';
import type { ApiRequest, KeyOptions } from '../../../src/index.ts';
import { sendJson, type UpstreamServer } from '../../support/servers/upstream-server.ts';
import { begin, expect, openPage, TINY } from '../support/fixtures.ts';
import { BIG, test } from '../support/upstreams/forwarding.ts';
import { holdOf } from '../support/hold.ts';
import { COUNT } from '../support/prompts.ts';
import { startFailure } from '../support/browser/start-failure.ts';
import { placesWithText } from '../support/storage/stored-text.ts';
import { stopServiceWorkers } from '../support/browser/undebugged.ts';

const PROMPT = 'orange harbour window';
const HERE = `device:${TINY}`;
const THERE = `cluster:${BIG}`;

declare global {
  interface Window {
    seen: Map<string, ApiRequest>;
    /** Ends the answer that `occupy` has begun. */
    end: () => Promise<void>;
  }
}

/** Starts a page with the route `assistant`: the device if it is idle, otherwise the cluster. */
async function beginWith(page: Page, { baseURL }: UpstreamServer, model?: string): Promise<void> {
  await page.evaluate(
    async ([url, big, tiny, given]) => {
      const headers = () => ({ authorization: 'Bearer secret-token' });
      await window.begin({
        upstreams: [{ name: 'cluster', baseURL: url, models: ['meta-llama/*'], headers }],
        routes: { assistant: [{ to: `device:${tiny}`, maxQueue: 1 }, `cluster:${big}`] },
        ...(given !== undefined && { model: given }),
      });
      window.seen = new Map();
      await window.v1.requests.watch((request) => window.seen.set(request.id, request));
    },
    [baseURL, BIG, TINY, model] as const,
  );
}

interface Asked {
  content?: string;
  apiKey?: string;
  maxTokens?: number;
}

/** Where a chat with the route was answered, or the error's status, code and message. */
function chat(
  page: Page,
  { content = PROMPT, apiKey, maxTokens = 4 }: Asked = {},
): Promise<unknown[]> {
  return page.evaluate(
    async ([text, key, max_tokens]) => {
      const client = key === undefined ? window.client : window.client.withOptions({ apiKey: key });
      const messages = [{ role: 'user' as const, content: text }];
      const asked = client.chat.completions
        .create({ model: 'assistant', messages, max_tokens, stream: true })
        .withResponse();
      const refusal = await window.refusalOf(asked);
      if (refusal) return [refusal.status, refusal.code, refusal.message];
      const { data, response } = await asked;
      await Array.fromAsync(data);
      return [response.headers.get('x-slashv1-served-by')];
    },
    [content, apiKey, maxTokens] as const,
  );
}

/** Begins an answer of the device's model. */
function occupy(page: Page): Promise<void> {
  return page.evaluate(
    async (request) => {
      const stream = await window.client.chat.completions.create({ ...request, stream: true });
      const events = stream[Symbol.asyncIterator]();
      await events.next();
      window.end = async () => {
        stream.controller.abort();
        await events.next().catch(() => undefined);
      };
    },
    { ...COUNT, model: TINY },
  );
}

const lastSeen = (page: Page) => page.evaluate(() => [...window.seen.values()].at(-1));

const AT_CLUSTER = ['upstream; name=cluster'];
const ON_DEVICE = ['device'];

test('the device answers what it can, and the cluster what is too long or would have to wait', async ({
  cluster,
  page,
  ownSite,
  closing,
}) => {
  const hold = closing(await holdOf(ownSite));
  await beginWith(page, cluster, TINY);
  expect(await chat(page)).toEqual(ON_DEVICE);
  await expect
    .poll(() => lastSeen(page))
    .toMatchObject({ model: TINY, route: { name: 'assistant', to: HERE, skipped: [] } });
  expect(await chat(page, { content: 'word '.repeat(3_000) })).toEqual(AT_CLUSTER);
  await expect
    .poll(() => lastSeen(page))
    .toMatchObject({
      model: BIG,
      upstream: 'cluster',
      route: {
        to: THERE,
        skipped: [{ to: HERE, reason: expect.stringContaining('context length') }],
      },
    });
  await hold.at({ tokens: 10 });
  await occupy(page);
  expect(await chat(page)).toEqual(AT_CLUSTER);
  await expect
    .poll(() => lastSeen(page))
    .toMatchObject({
      route: { to: THERE, skipped: [{ to: HERE, reason: 'Its queue is too long: 1.' }] },
    });
  const bodies = cluster.requests.flatMap(({ body }) => (body.length > 0 ? [String(body)] : []));
  expect(bodies.map((body) => (JSON.parse(body) as { model: string }).model)).toEqual([BIG, BIG]);
  await page.evaluate(() => window.end());
  await hold.release();
  // Until the model is free, the cluster still answers.
  await expect.poll(() => chat(page)).toEqual(ON_DEVICE);
  for (const text of [PROMPT, 'secret-token']) expect(await placesWithText(page, text)).toEqual([]);
});

test('the site’s pack is fetched for the route, as for any other request', async ({
  cluster,
  page,
}) => {
  await beginWith(page, cluster);
  const ids = page.evaluate(async () => (await window.client.models.list()).data);
  expect(await ids).toContainEqual(
    expect.objectContaining({
      id: 'assistant',
      routes_to: [{ to: HERE, max_queue: 1 }, { to: THERE }],
    }),
  );
  expect(await chat(page)).toEqual(ON_DEVICE);
  expect(cluster.requests.filter(({ path }) => path !== '/v1/models')).toEqual([]);
});

test('keys that stay on the device never leave it, and keys of other tabs know no route', async ({
  cluster,
  ownSite,
  page,
  undebugged,
}) => {
  await beginWith(page, cluster, TINY);
  const create = (options: KeyOptions) =>
    page.evaluate((given) => window.v1.keys.create(given), options);
  const content = 'word '.repeat(3_000);
  for (const options of [{ deviceOnly: true }, { tokensPerDay: 100_000 }]) {
    const apiKey = await create(options);
    expect(await chat(page, { apiKey })).toEqual(ON_DEVICE);
    expect(await chat(page, { apiKey, content })).toEqual([
      ...[400, 'route_unavailable'],
      expect.stringMatching(/context length.*Requests with this key stay on the device/),
    ]);
  }
  expect(cluster.requests).toEqual([]);
  const other = await openPage(undebugged, ownSite.url);
  await begin(other, { model: TINY });
  expect(await chat(other)).toEqual([404, 'model_not_found', expect.anything()]);
  expect(await chat(other, { apiKey: await create({}), content })).toEqual(AT_CLUSTER);
});

test('if the cluster is down as well, the error says why for each', async ({ cluster, page }) => {
  await beginWith(page, cluster, TINY);
  await cluster.close();
  const answer = await chat(page, { content: 'word '.repeat(3_000) });
  expect(answer).toEqual([
    ...[503, 'route_unavailable'],
    expect.stringMatching(
      /tiny-chat: .*context length.*Instruct: The upstream 'cluster' could not/,
    ),
  ]);
  expect(JSON.stringify(answer)).not.toContain('127.0.0.1');
});

test('a response of the cluster is found there, also after a stop of the service worker', async ({
  cluster,
  page,
}) => {
  await beginWith(page, cluster, TINY);
  cluster.answer = (response, { path }) =>
    sendJson(response, { id: 'resp_theirs', object: 'response', output: [], path });
  const ask = (model: string, previous?: string) =>
    page.evaluate(
      async ([name, previous_response_id]) => {
        const { data, response } = await window.client.responses
          .create({
            model: name,
            input: 'Hi',
            max_output_tokens: 4,
            ...(previous_response_id !== undefined && { previous_response_id }),
          })
          .withResponse();
        return [data.id, response.headers.get('x-slashv1-served-by')];
      },
      [model, previous] as const,
    );
  expect(await ask(BIG)).toEqual(['resp_theirs', ...AT_CLUSTER]);
  await stopServiceWorkers(page);
  const found = await page.evaluate(() => window.client.responses.retrieve('resp_theirs'));
  expect(found).toMatchObject({ path: '/v1/responses/resp_theirs' });
  expect(await ask('assistant', 'resp_theirs')).toEqual(['resp_theirs', ...AT_CLUSTER]);
  const [own, ...place] = await ask('assistant');
  expect(place).toEqual(ON_DEVICE);
  expect(await ask('assistant', own ?? '')).toEqual([expect.anything(), ...ON_DEVICE]);
});

test('routes that lead nowhere are refused before anything begins', async ({ page }) => {
  for (const [routes, message] of [
    [{ a: ['cluster:b'] }, 'to the device or to an upstream'],
    [{ a: [] }, 'one or more'],
  ] as const) {
    const failure = await startFailure(page, { routes });
    expect(failure).toEqual(['invalid_option', expect.stringContaining(message)]);
  }
});
