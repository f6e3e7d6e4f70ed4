import type { JobEvent } from '../../../src/core/operations/events/events.ts';
import { say } from '../support/chat.ts';
import { eventsOfCancelled, generateJob } from '../support/engine-jobs.ts';
import { expect, openStarted, test, TINY } from '../support/fixtures.ts';
import { GREETING, user } from '../support/prompts.ts';

test('after a stream is aborted, the next request is answered as usual', async ({ ready }) => {
  const text = await ready.evaluate(
    async ([model, message]) => {
      const stream = await window.client.chat.completions.create({
        model,
        messages: [message],
        temperature: 0,
        stream: true,
      });
      let received = '';
      for await (const chunk of stream) {
        received += chunk.choices[0]?.delta.content ?? '';
        if (received.length > 8) break;
      }
      return received;
    },
    [TINY, user('Count to 100.')] as const,
  );
  expect(text).toMatch(/^1 2 3 4/);
  expect(await say(ready, 'Hello!')).toBe(GREETING);
});

test('cancelling stops the generation within one token', async ({ fresh, site, hold }) => {
  const page = await openStarted(fresh, site.url, { model: TINY });
  await hold.at({ tokens: 10 });
  const jobs = { job: generateJob('Count to 100.'), next: generateJob('Hello!') };
  const pieces = await eventsOfCancelled(page, hold, { ...jobs, type: 'text' });
  expect(pieces).toBeGreaterThan(0);
  expect(pieces).toBeLessThanOrEqual(11);
});

test('cancelling a job that waits does not affect the one that runs', async ({ ready }) => {
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
