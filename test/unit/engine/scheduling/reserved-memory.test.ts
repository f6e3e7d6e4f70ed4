import { expect, test, vi } from 'vitest';
import { ModelMemory } from '../../../../src/engine/scheduling/model-memory.ts';
import { NEVER } from '../../support/never.ts';

/** A memory for 100 bytes, and how models of 40 bytes are used in it. */
function open() {
  const memory = new ModelMemory({ budget: async () => 100, unloadAfterMs: Infinity });
  const unloaded = vi.fn<(id: string) => void>();
  const use = async (id: string) => {
    const unload = async () => unloaded(id);
    const model = { id, bytes: 40, load: async () => undefined, unload };
    (memory.hold(id) ?? (await memory.load(model, NEVER)))();
  };
  return { memory, unloaded, use };
}

test('memory is set aside for a download only if nothing has to be unloaded for it', async () => {
  const { memory, unloaded, use } = open();
  await use('a');
  expect(await memory.reserve(61)).toBeUndefined();
  expect(await memory.reserve(60)).toBeInstanceOf(Function);
  expect(await memory.hasRoom(1)).toBe(false);
  expect(unloaded).not.toHaveBeenCalled();
});

test('what is set aside is not there for other models, until it is given back, once', async () => {
  const { memory, unloaded, use } = open();
  await use('a');
  const release = await memory.reserve(40);
  await use('b');
  expect(unloaded.mock.calls).toEqual([['a']]);
  release?.();
  release?.();
  await use('a');
  expect(unloaded).toHaveBeenCalledTimes(1);
  expect(await memory.hasRoom(21)).toBe(false);
});
