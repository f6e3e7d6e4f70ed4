import { expect, test } from 'vitest';
import type { SpeakJob } from '../../../../../src/core/operations/jobs.ts';
import { SpeechHost } from '../../../../../src/engine/onnx/speech/speech-host.ts';
import { poolParts, speakJob, speakTwice } from '../../workers/pool-parts.ts';
import { NEVER } from '../../../support/never.ts';

test('a speak job reaches the worker of its model as it is', async () => {
  const seen: SpeakJob[] = [];
  const { parts } = poolParts({
    speak: (job, signal) => {
      seen.push(job);
      return speakTwice(job, signal);
    },
  });
  const job = { ...speakJob('wanted'), client: 'key', autoInstall: true };
  const events = await Array.fromAsync(new SpeechHost(parts).run(job, NEVER));
  expect(events.map(({ type }) => type)).toEqual(['audio', 'audio']);
  expect(seen).toEqual([job]);
});

test('a model is loaded and unloaded without events', async () => {
  const { parts, log } = poolParts();
  const host = new SpeechHost(parts);
  for (const op of ['load', 'unload'] as const) {
    expect(await Array.fromAsync(host.run({ op, model: 'a' }, NEVER))).toEqual([]);
  }
  expect(log).toEqual(['start', 'end']);
});
