import { expect, test, vi } from 'vitest';
import { EventSender } from '../../../../src/core/port/event-sender.ts';
import type { EmbedEvent, GenerateEvent } from '../../../../src/core/operations/events/events.ts';
import type { Operation } from '../../../../src/core/operations/jobs/jobs.ts';
import type { FromHost } from '../../../../src/core/port/port-messages.ts';
import { serverError } from '../../../../src/core/errors/errors.ts';

const END: EmbedEvent = { type: 'embedded' };
const sending = (event: EmbedEvent): FromHost => ({ type: 'event', id: 7, event });
const vectors = (place: number): EmbedEvent => ({
  type: 'vectors',
  places: [place],
  values: new Float32Array(2),
  tokens: 3,
});

function open(op: Operation = 'embed') {
  const sent: (FromHost | FromHost[])[] = [];
  return { sent, sender: new EventSender(7, op, { postMessage: (posted) => sent.push(posted) }) };
}

test('the events of one token are one message, and those of the next another', async () => {
  const { sent, sender } = open('generate');
  const piece: GenerateEvent = { type: 'written', piece: { text: 'a', tokens: 1 } };
  const text: GenerateEvent = { type: 'text', text: 'a' };
  const send = (event: GenerateEvent): FromHost => ({ type: 'event', id: 7, event });
  sender.event(piece);
  sender.event(text);
  await Promise.resolve();
  expect(sent).toEqual([[send(piece), send(text)]]);
  sender.event(text);
  await Promise.resolve();
  expect(sent[1]).toEqual(send(text));
  sender.done();
  expect(sent[2]).toEqual({ type: 'done', id: 7 });
});

test('that the texts are encoded is told at once: computing may block the thread', () => {
  const { sent, sender } = open();
  sender.event({ type: 'encoded' });
  expect(sent).toEqual([sending({ type: 'encoded' })]);
});

test('events that follow each other at once are one message with the end of the job, in their order', () => {
  const { sent, sender } = open();
  sender.event(vectors(0));
  sender.event(vectors(1));
  sender.event(END);
  expect(sent).toEqual([]);
  sender.done();
  const events = [vectors(0), vectors(1), END].map(sending);
  expect(sent).toEqual([[...events, { type: 'done', id: 7 }]]);
});

test('gathered events are sent as soon as nothing follows them', async () => {
  const { sent, sender } = open();
  sender.event(vectors(0));
  await vi.waitFor(() => expect(sent).toEqual([sending(vectors(0))]));
  sender.done();
  expect(sent[1]).toEqual({ type: 'done', id: 7 });
});

test('gathered events are sent before the failure of their job', () => {
  const { sent, sender } = open();
  sender.event(vectors(0));
  const { data: error } = serverError('engine_error', 'No.');
  sender.failed({ error });
  expect(sent).toEqual([[sending(vectors(0)), { type: 'failed', id: 7, error }]]);
});

test('gathered events of a job that was cancelled are dropped', () => {
  vi.useFakeTimers();
  const { sent, sender } = open();
  sender.event(vectors(0));
  sender.cancelled();
  vi.runAllTimers();
  vi.useRealTimers();
  expect(sent).toEqual([]);
});
