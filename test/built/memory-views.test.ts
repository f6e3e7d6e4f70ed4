import { expect, test, vi } from 'vitest';
import makeLlama from '../../models/llamacpp/built/llamacpp.js';
import makeThreads from '../../models/llamacpp/built/llamacpp-threads.js';

const PAGE = 64 * 1024;

test.each([
  ['llamacpp.js', makeLlama, 1],
  ['llamacpp-threads.js', makeThreads, 2],
])('the views of %s cover its memory after a call that lets it grow', async (_, make, threads) => {
  const module = await make({ threads });
  const before = module.HEAPU8.length;
  expect(module._malloc(before)).not.toBe(0);
  expect(module.HEAPU8.length).toBeGreaterThan(before);
});

test('the views of llamacpp-threads.js cover what another thread lets the memory grow by', async () => {
  const memories: WebAssembly.Memory[] = [];
  const { Memory } = WebAssembly;
  const spy = vi.spyOn(WebAssembly, 'Memory').mockImplementation(function (descriptor) {
    const memory = new Memory(descriptor);
    memories.push(memory);
    return memory;
  });
  const module = await makeThreads({ threads: 2 });
  spy.mockRestore();
  const [memory] = memories;
  if (!memory) throw new Error('The module made no memory');
  // As in another thread, none of the module's JavaScript takes part.
  memory.grow(1);
  const bytes = memory.buffer.byteLength;
  expect(module.HEAPU8.length).toBe(bytes);
  expect(module.HEAP32.length).toBe(bytes / 4);
  expect(module.HEAPF32.length).toBe(bytes / 4);
  module.HEAPU8[bytes - PAGE] = 7;
  expect(new Uint8Array(memory.buffer)[bytes - PAGE]).toBe(7);
});
