import { OpenAI } from 'openai';
import { beforeAll, expect, test, vi } from 'vitest';
import { buildSite } from '../../scripts/build.ts';
import { defaultPacks } from '../../scripts/build/packs.ts';
import { openUpstream, sendJson } from '../support/servers/upstream-server.ts';
import { ask, KEY, TINY } from './support/asking.ts';
import { startServe } from './support/serve-process.ts';

// A browser starts slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

beforeAll(async () => {
  await buildSite({ packs: await defaultPacks() });
}, 300_000);

const BIG = 'meta-llama/Llama-3.3-70B-Instruct';

test('with --upstream and --route, requests are answered there if the page cannot, with the token', async () => {
  const cluster = await openUpstream([BIG]);
  const token = 'sk-of-the-cluster';
  const forwarding = startServe(
    [
      ...['--key', KEY, '--model', TINY, '--log', '--upstream', `my-cluster=${cluster.baseURL}`],
      ...['--route', `near=device:${TINY},my-cluster:${BIG}`],
      ...['--route', `far=device:not/installed,my-cluster:${BIG}`, '--max-queue', '1'],
    ],
    { SLASHV1_UPSTREAM_MY_CLUSTER_TOKEN: token },
  );
  try {
    const [, baseURL = ''] = /^ready (\S+) /.exec(await forwarding.ready()) ?? [];
    const client = new OpenAI({ baseURL, apiKey: KEY, maxRetries: 0 });
    const listed = (await client.models.list()).data.map(({ id }) => id);
    expect(listed).toEqual(expect.arrayContaining([TINY, BIG, 'near', 'far']));
    cluster.answer = (response) =>
      sendJson(response, { choices: [{ message: { content: 'From afar' } }] });
    const far = await client.chat.completions.create({ ...ask('Hi'), model: 'far' }).withResponse();
    expect(far.data.choices[0]?.message.content).toBe('From afar');
    const servedBy = 'x-slashv1-served-by';
    expect(far.response.headers.get(servedBy)).toBe('upstream; name=my-cluster');
    expect(cluster.requests.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
    const counting = { ...ask('Count to 5'), model: 'near' };
    const near = await client.chat.completions.create(counting).withResponse();
    expect(near.response.headers.get(servedBy)).toBe('device');
    expect(near.data.choices[0]?.message.content).toBe('1 2 3 4 5');
    const long = { ...counting, n: 4, min_tokens: 400, stream: true as const };
    const busy = await client.chat.completions.create(long);
    const second = await client.chat.completions.create(counting);
    expect(second.choices[0]?.message.content).toBe('From afar');
    busy.controller.abort();
    cluster.answer = (response) => sendJson(response, { error: { code: 'theirs' } }, 429);
    const refused = client.chat.completions.create({ ...ask('Hi'), model: BIG });
    await expect(refused).rejects.toMatchObject({ status: 429, code: 'theirs' });
    await vi.waitFor(() => expect(forwarding.errors()).toMatch(/ 429 .* upstream=my-cluster/));
    await cluster.close();
    const down = client.chat.completions.create({ ...ask('Hi'), model: BIG });
    await expect(down).rejects.toMatchObject({ status: 502, code: 'upstream_unreachable' });
    expect(forwarding.errors() + forwarding.lines.join('')).not.toContain(token);
    expect(forwarding.browser().map(({ command }) => command)).not.toContainEqual(
      expect.stringContaining(token),
    );
  } finally {
    forwarding.kill('SIGTERM');
    await forwarding.ended;
  }
});
