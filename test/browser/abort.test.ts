import type { JobEvent } from '../../src/core/protocol/engine.ts';
import { generateJob } from './support/engine-jobs.ts';
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
  const jobs = { long: generateJob('Count to 100.'), next: generateJob('Hello!') };
  // On a port to the engine, what it generates can be counted.
  const late = await ready.evaluate(async ({ long, next }) => {
    let count = 0;
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const send = await window.connectEngine((message) => {
      if (message.type === 'event' && message.id === 1 && ++count === 10) {
        send({ type: 'cancel', id: 1 });
        send({ type: 'run', id: 2, job: next });
      }
      if (message.type === 'done' && message.id === 2) resolve();
    });
    send({ type: 'run', id: 1, job: long });
    await done;
    return count - 10;
  }, jobs);
  // The token that was under way when the cancel was sent, and one that was already on its way here.
  expect(late).toBeLessThanOrEqual(2);
});

test('cancelling a job that waits does not touch the one that runs', async ({ ready }) => {
  const jobs = { running: generateJob('Count to 20.'), waiting: generateJob('Hello!') };
  const outcome = await ready.evaluate(async ({ running, waiting }) => {
    const events: Record<number, JobEvent[]> = { 1: [], 2: [] };
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const send = await window.connectEngine((message) => {
      if (message.type === 'event') events[message.id]?.push(message.event);
      if (message.type === 'event' && message.id === 1) send({ type: 'cancel', id: 2 });
      if (message.type === 'done' && message.id === 1) resolve();
    });
    send({ type: 'run', id: 1, job: running });
    send({ type: 'run', id: 2, job: waiting });
    await done;
    return events;
  }, jobs);
  const texts = outcome[1]?.flatMap((event) => (event.type === 'text' ? event.text : []));
  expect(texts?.join('')).toMatch(/^1 2 3 .* 19 20$/);
  expect(outcome[2]).toEqual([]);
});
