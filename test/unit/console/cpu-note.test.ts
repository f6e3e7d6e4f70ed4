import { expect, test } from 'vitest';
import { cpuNote } from '../../../src/console/problem/cpu-note.ts';
import type { DeviceReport } from '../../../src/index.ts';

type Device = Pick<DeviceReport, 'gpu' | 'engine'>;

const note = (device: Device, hasWebgpu = true) =>
  cpuNote(device, { name: 'chrome', platform: 'linux' }, hasWebgpu);

test('models on the CPU have a note that says why, and how to use a GPU', () => {
  const found = note({ gpu: 'none', engine: 'llamacpp' });
  expect(found?.title).toBe('Runs on the CPU here');
  expect(found?.explanation).toContain('offers no graphics processor');
  expect(found?.steps[0]).toContain('chrome://flags/#enable-unsafe-webgpu');
  const emulated = note({ gpu: 'software', engine: 'llamacpp' });
  expect(emulated?.explanation).toContain('emulated by the CPU');
});

test('a browser without WebGPU is to be updated first', () => {
  expect(note({ gpu: 'none', engine: 'llamacpp' }, false)?.steps[0]).toContain('113');
});

test.each<Device>([
  { gpu: 'hardware', engine: 'webllm' },
  { gpu: 'hardware', engine: 'llamacpp' },
  { gpu: 'software', engine: 'webllm' },
])('there is none where a GPU is used, or the page chose the engine: %j', (device) => {
  expect(note(device)).toBeUndefined();
});
