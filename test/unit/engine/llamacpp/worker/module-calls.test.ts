import { expect, test } from 'vitest';
import type { LlamaModule } from '../../../../../models/llamacpp/module.ts';
import { ModuleCalls } from '../../../../../src/engine/llamacpp/worker/module-calls.ts';

/** A module whose memory has room for a first buffer only, and the buffers that were freed. */
function fullModule() {
  const freed: number[] = [];
  let left = 1;
  const module: Partial<LlamaModule> = {
    HEAPU8: new Uint8Array(8192),
    _malloc: () => (left-- > 0 ? 16 : 0),
    _free: (pointer) => void freed.push(pointer),
  };
  return { module: module as LlamaModule, freed };
}

test('the buffer for results stays if there is no memory for a larger one', () => {
  const { module, freed } = fullModule();
  const calls = new ModuleCalls(module);
  expect(() => calls.bytes(() => 10_000)).toThrow('not enough memory');
  expect(freed).toEqual([]);
  expect(calls.bytes(() => 3)).toHaveLength(3);
});
