import { expect, test } from 'vitest';
import type { LlamaGpuModule } from '../../../../../models/llamacpp/module.ts';
import { GpuModule } from '../../../../../src/engine/llamacpp/worker/gpu/gpu-module.ts';

/** A GPU whose work ends when a test says so. */
function open() {
  const device = Object.assign(new EventTarget(), {
    limits: { maxBufferSize: 1, maxStorageBufferBindingSize: 1 },
    lost: new Promise(() => undefined),
  }) as unknown as GPUDevice;
  const works: PromiseWithResolvers<void>[] = [];
  const module = {
    finishGpuWork: () => {
      const work = Promise.withResolvers<void>();
      works.push(work);
      return work.promise;
    },
  } as unknown as LlamaGpuModule;
  const gpu = new GpuModule(
    module,
    { device, info: {} as GPUAdapterInfo },
    () => new ArrayBuffer(),
  );
  const misuse = () =>
    device.dispatchEvent(
      Object.assign(new Event('uncapturederror'), { error: { message: 'The buffer is invalid.' } }),
    );
  return { gpu, works, misuse };
}

test('an answer goes on although there is no memory for what is made beside it', async () => {
  const { gpu, works, misuse } = open();
  const [answer, context] = [gpu.finish(), gpu.finish()];
  misuse();
  works[0]?.resolve();
  works[1]?.reject({ message: 'Out of memory.' });
  await expect(context).rejects.toMatchObject({ name: 'GpuFailure', isMemory: true });
  await expect(answer).resolves.toBeUndefined();
});

test('a misuse of the GPU that has no other reason ends all work', async () => {
  const { gpu, works, misuse } = open();
  const finished = Promise.allSettled([gpu.finish(), gpu.finish()]);
  misuse();
  for (const { resolve } of works) resolve();
  const failure = { reason: { message: 'The buffer is invalid.', fault: 'final' } };
  expect(await finished).toMatchObject([failure, failure]);
});
