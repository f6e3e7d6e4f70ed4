import { countingServer } from '../browser/support/upstreams/counting-server.ts';
import { COUNT, GREETING, user } from '../browser/support/prompts.ts';
import { TINY } from '../browser/support/site.ts';
import { begin, expect, test } from './support/fixtures.ts';

test('requests to another service are answered on the device, and none reaches it', async ({
  site,
  hold,
  newTab,
}) => {
  const service = await countingServer();
  const base = `${service.origin}/v1`;
  const tab = await newTab(site.url);
  const direct = await tab.evaluate(async (url) => (await fetch(url)).text(), `${base}/models`);
  expect(direct).toBe('the service itself');
  expect(service.requests).toHaveLength(1);
  await begin(tab, { intercept: [base], model: TINY });
  // The first chat has fewer tokens, the other one more.
  await hold.at({ tokens: 30 });
  const outcome = await tab.evaluate(
    async ([url, hello, count]) => {
      const client = new window.OpenAI({
        baseURL: url,
        apiKey: 'sk-proj-secret',
        dangerouslyAllowBrowser: true,
        maxRetries: 0,
      });
      const stream = await client.chat.completions.create({
        model: 'gpt-4o-mini',
        messages: [hello],
        temperature: 0,
        stream: true,
      });
      let text = '';
      for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
      const image = await window.refusalOf(client.images.generate({ prompt: 'a cat' }));
      const form = new FormData();
      form.append('file', new Blob(['abc']), 'a.wav');
      const posted = await fetch(`${url}/images/edits`, { method: 'POST', body: form });
      const outside = await fetch(`${url}/../x`, { headers: { 'x-custom': '1' } });
      const picture = new Image();
      const failed = new Promise((resolve) => (picture.onerror = () => resolve('failed')));
      picture.src = `${url}/image.png`;
      const xhr = new XMLHttpRequest();
      xhr.open('PUT', `${url}/models`);
      const answered = new Promise((resolve) => (xhr.onloadend = () => resolve(xhr.status)));
      xhr.send();
      const aborting = new AbortController();
      const body = JSON.stringify({ ...count, model: 'gpt-4o', stream: true });
      const request = { method: 'POST', body, signal: aborting.signal };
      const reader = (await fetch(`${url}/chat/completions`, request)).body?.getReader();
      await reader?.read();
      aborting.abort();
      const rest = async () => {
        for (;;) if ((await reader?.read())?.done) return 'complete';
      };
      const aborted = await rest().catch((error: Error) => error.name);
      const statuses = [image?.status, posted.status, outside.status, await answered];
      return { text, statuses, picture: await failed, aborted };
    },
    [base, user('Hello!'), COUNT] as const,
  );
  await service.close();
  expect(outcome).toEqual({
    text: GREETING,
    statuses: [404, 404, 404, 405],
    picture: 'failed',
    aborted: 'AbortError',
  });
  expect(service.requests).toHaveLength(1);
});
