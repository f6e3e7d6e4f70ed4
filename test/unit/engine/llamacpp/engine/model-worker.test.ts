import { beforeEach, expect, test } from 'vitest';
import { ModelWorker } from '../../../../../src/engine/llamacpp/engine/model-worker.ts';
import { WorkerLost } from '../../../../../src/engine/llamacpp/engine/worker-lost.ts';
import { FakeModelWorker } from '../../../support/fakes/fake-model-worker.ts';
import { NEVER } from '../../../support/never.ts';

beforeEach(() => FakeModelWorker.reset());

test('what is asked of a worker that has ended fails', async () => {
  const worker = new ModelWorker(new FakeModelWorker(new URL('http://site/llamacpp.js')));
  worker.end();
  const generation = { sampling: { temperature: 1 }, random: { seed: 1, choice: 0, drawn: 0 } };
  const request = { prompt: 'Hi', generation, written: [], mayAddCache: false };
  await expect(worker.generate(request, NEVER, () => undefined).done).rejects.toThrow(WorkerLost);
  await expect(worker.encode('Hi')).rejects.toThrow(WorkerLost);
  await expect(worker.vocabulary()).rejects.toThrow(WorkerLost);
});
