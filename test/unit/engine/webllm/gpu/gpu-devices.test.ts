import { expect, test } from 'vitest';
import { GpuDevices, type Adapter } from '../../../../../src/engine/webllm/gpu/gpu-devices.ts';
import { loadError } from '../../../../../src/engine/webllm/errors.ts';

/** Watched adapters, and what happened to their devices. */
function openGpu() {
  const destroyed: number[] = [];
  let lose: (reason: string) => void = () => undefined;
  const adapters: Adapter = {
    requestDevice: async () => {
      const { promise, resolve } = Promise.withResolvers<{ reason: string }>();
      lose = (reason) => resolve({ reason });
      return { lost: promise, destroy: () => void destroyed.push(1) };
    },
  };
  const devices = new GpuDevices();
  devices.watch(adapters);
  const request = async () => void (await adapters.requestDevice());
  return { devices, request, lose: (reason: string) => lose(reason), destroyed };
}

test('the device of successful work is left alone', async () => {
  const { devices, request, destroyed } = openGpu();
  await devices.use(request);
  expect(destroyed).toEqual([]);
});

test('failed work frees what was on its device', async () => {
  const { devices, request, destroyed } = openGpu();
  const work = async () => {
    await request();
    throw new Error('no tokenizer');
  };
  await expect(devices.use(work)).rejects.toThrow('no tokenizer');
  expect(destroyed).toHaveLength(1);
});

test.each(['fails', 'succeeds'])(
  'a device that WebLLM destroys is out of memory, and it %s',
  async (how) => {
    const { devices, request, lose } = openGpu();
    const work = async () => {
      await request();
      lose('destroyed');
      await Promise.resolve();
      if (how === 'fails') throw new Error('unreachable');
    };
    const failure = await devices.use(work).catch(loadError);
    expect(failure).toMatchObject({ data: { code: 'out_of_memory', status: 500 } });
  },
);

test('a device that was lost between two loads does not affect the next load', async () => {
  const { devices, request, lose } = openGpu();
  // Like a device that was requested ahead of a load that failed first.
  await request();
  lose('destroyed');
  await Promise.resolve();
  await expect(devices.use(request)).resolves.toBeUndefined();
});

test('a lost GPU is not a lack of memory', async () => {
  const { devices, request, lose } = openGpu();
  const work = async () => {
    await request();
    lose('unknown');
    await Promise.resolve();
    throw new Error('unreachable');
  };
  const failure = await devices.use(work).catch(loadError);
  expect(failure).toEqual(new Error('The GPU was lost while the model was loaded.'));
});

test('a device that was made just before the work belongs to it; one of earlier work does not', async () => {
  const { devices, request, lose, destroyed } = openGpu();
  await request();
  await devices.use(() => Promise.resolve());
  lose('destroyed');
  await devices.use(() => Promise.resolve());
  await request();
  await expect(devices.use(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(destroyed).toHaveLength(1);
});
