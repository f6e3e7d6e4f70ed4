import type { FromHost, ToHost } from '../../src/core/protocol/port-messages.ts';
import { expect, test, TINY } from './support/fixtures.ts';

test('after an abort in mid-stream the next request is answered as ever', async ({ ready }) => {
  const { got, next } = await ready.evaluate(async (model) => {
    const ask = (content: string) => ({
      model,
      messages: [{ role: 'user' as const, content }],
      temperature: 0,
    });
    const stream = await window.client.chat.completions.create({
      ...ask('Count to 100.'),
      stream: true,
    });
    let text = '';
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      if (text.length > 8) break;
    }
    const completion = await window.client.chat.completions.create(ask('Hello!'));
    return { got: text, next: completion.choices[0]?.message.content };
  }, TINY);
  expect(got).toMatch(/^1 2 3 4/);
  expect(next).toBe('Hello! How can I help you?');
});

test('cancelling stops the generation within one token', async ({ ready }) => {
  const late = await ready.evaluate(async (model) => {
    // The engine's own port, as the service worker has one: what it generates can be counted there.
    const port = await new Promise<MessagePort>((resolve) => {
      navigator.serviceWorker.addEventListener('message', ({ data, ports }) => {
        const [first] = ports;
        if ((data as { type: string }).type === 'slashv1:port' && first) resolve(first);
      });
      navigator.serviceWorker.controller?.postMessage({ type: 'slashv1:connect' });
    });
    const send = (message: ToHost) => port.postMessage(message);
    const run = (id: number, text: string) =>
      send({
        type: 'run',
        id,
        job: {
          op: 'generate',
          model,
          prompt: {
            kind: 'chat',
            messages: [{ role: 'user', content: text }],
            templateOptions: {},
          },
          sampling: { temperature: 0 },
          stop: [],
        },
      });
    return new Promise<number>((resolve) => {
      let before = 0;
      let after = 0;
      port.onmessage = ({ data }: MessageEvent<FromHost>) => {
        if (data.type === 'hello') run(1, 'Count to 100.');
        if (data.type === 'event' && data.id === 1) {
          if (before < 10) before++;
          else after++;
          if (before === 10 && after === 0) {
            send({ type: 'cancel', id: 1 });
            run(2, 'Hello!');
          }
        }
        if (data.type === 'done' && data.id === 2) resolve(after);
      };
    });
  }, TINY);
  // The token that was under way when the cancel was sent, and one that was already on its way here.
  expect(late).toBeLessThanOrEqual(2);
});

test('cancelling a request that waits does not touch the one that runs', async ({ ready }) => {
  const texts = await ready.evaluate(async (model) => {
    const ask = (content: string, signal?: AbortSignal) =>
      window.client.chat.completions.create(
        { model, messages: [{ role: 'user', content }], temperature: 0 },
        { signal },
      );
    const aborting = new AbortController();
    const running = ask('Count to 20.');
    const waiting = ask('Hello!', aborting.signal).catch(
      (error: unknown) => error instanceof window.OpenAI.APIUserAbortError,
    );
    aborting.abort();
    return [(await running).choices[0]?.message.content, await waiting];
  }, TINY);
  expect(texts[0]).toMatch(/ 19 20$/);
  expect(texts[1]).toBe(true);
});
