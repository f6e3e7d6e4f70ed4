import { expect, test } from 'vitest';
import type { SpeakEvent } from '../../../../src/core/operations/events/events.ts';
import type { RunningJob } from '../../../../sw/road/running-job.ts';
import { Recording } from '../../../../sw/speech/recording.ts';
import { Recordings } from '../../../../sw/speech/recordings.ts';

const MIB = 1024 * 1024;

function running(events: SpeakEvent[]): RunningJob<'speak'> {
  return {
    cancel: () => undefined,
    async each(take) {
      for (const event of events) await take(event);
    },
  };
}

async function spoken(bytes: number): Promise<Recording> {
  const recording = new Recording(
    running([
      { type: 'audio', bytes: new Uint8Array(bytes) },
      { type: 'spoken', seconds: 1, header: new Uint8Array(0) },
    ]),
  );
  await recording.ended;
  return recording;
}

test('the oldest recordings are dropped when all are too large, and recorded again when asked for', async () => {
  const recordings = new Recordings();
  const made: string[] = [];
  const get = (url: string) =>
    recordings.get(url, () => {
      made.push(url);
      return spoken(30 * MIB);
    });
  for (const url of ['a', 'b', 'a', 'c', 'b', 'a']) await get(url);
  expect(made).toEqual(['a', 'b', 'c', 'a']);
});

test('the largest possible speech can be kept', async () => {
  const recordings = new Recordings();
  const first = await recordings.get('a', () => spoken(60 * MIB));
  expect(await recordings.get('a', () => spoken(1))).toBe(first);
});

test('a part is cut out of chunks wherever they end', async () => {
  const chunks = [[0, 1], [2], [], [3, 4, 5]].map((bytes) => new Uint8Array(bytes));
  const recording = new Recording(
    running([
      ...chunks.map((bytes) => ({ type: 'audio' as const, bytes })),
      { type: 'spoken', seconds: 1, header: new Uint8Array([]) },
    ]),
  );
  await recording.ended;
  for (let first = 0; first < 6; first++) {
    for (let last = first; last < 6; last++) {
      const expected = [0, 1, 2, 3, 4, 5].slice(first, last + 1);
      expect([...recording.part(first, last)]).toEqual(expected);
    }
  }
});
