import { expect, test } from 'vitest';
import { engineOf, withoutEvents } from '../../../../../src/core/protocol/engine.ts';
import type { JobOf } from '../../../../../src/core/protocol/jobs.ts';
import type { HearingOperation } from '../../../../../src/engine/onnx/hearing/hearing-engine.ts';
import { HearingHost } from '../../../../../src/engine/onnx/hearing/hearing-host.ts';
import { deliveryOf } from '../../../../../src/core/protocol/delivered-answer.ts';
import { NEVER } from '../../../support/never.ts';
import { poolParts } from '../../workers/pool-parts.ts';

const JOB: JobOf<'transcribe'> = {
  ...{ op: 'transcribe', model: 'a', audio: new Blob(['x']), recording: 'r', task: 'transcribe' },
};

/** A host whose workers hear a word each ten seconds, for half a minute. */
function openHost() {
  const asked: JobOf<'transcribe'>['from'][] = [];
  const worker = engineOf<HearingOperation>({
    async *transcribe({ from }) {
      asked.push(from);
      const start = from?.seconds ?? 0;
      const segment = {
        ...{
          start,
          end: start + 1,
          window: start,
          text: ` at${start}`,
          tokens: [],
          temperature: 0,
        },
        ...{ averageLogprob: 0, compressionRatio: 1, noSpeech: 0 },
      };
      yield { type: 'heard', segments: [segment], language: 'de', until: start + 10 };
      if (start === 20) yield { type: 'transcribed', seconds: 30 };
    },
    load: () => withoutEvents(() => Promise.resolve()),
  });
  const start = () => ({ ...worker, end: () => undefined });
  const { installer, progress, memory, loads, device } = poolParts().parts;
  return { host: new HearingHost({ installer, progress, memory, loads, device, start }), asked };
}

test('a recording is read window by window, each in the language of the first', async () => {
  const { host, asked } = openHost();
  const events = await Array.fromAsync(host.run(JOB, NEVER));
  expect(events.map(({ type }) => type)).toEqual(['heard', 'heard', 'heard', 'transcribed']);
  expect(asked).toEqual([
    undefined,
    { seconds: 10, language: 'de' },
    { seconds: 20, language: 'de' },
  ]);
});

test('another engine continues with the next window', async () => {
  const { host } = openHost();
  const delivery = deliveryOf<'transcribe'>(JOB);
  for await (const event of host.run(JOB, NEVER)) {
    delivery.take(event);
    break;
  }
  const events = await Array.fromAsync(host.run(delivery.restart(true), NEVER));
  expect(delivery.restart(true)).toMatchObject({ automatic: true, from: { seconds: 10 } });
  expect(events).toHaveLength(3);
});
