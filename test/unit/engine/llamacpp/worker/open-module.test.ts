import { expect, test, vi } from 'vitest';
import type { LlamaModule, LlamaModuleFactory } from '../../../../../models/llamacpp/module.ts';
import { moduleOpener } from '../../../../../src/engine/llamacpp/worker/open-module.ts';
import { threadScope } from '../../../support/thread-scope.ts';

/** A script that makes a module with these threads; undefined: one that fails. */
function script(isThere: boolean): URL {
  const code = isThere ? 'export default async (options) => ({ options });' : 'throw new Error();';
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

async function open(isolated: boolean, isThere: boolean, wanted?: number) {
  const create = vi.fn<LlamaModuleFactory>(async () => ({}) as LlamaModule);
  const wasm = new URL('http://site/llamacpp.wasm');
  const threaded = { script: script(isThere), wasm: new URL('http://site/llamacpp-threads.wasm') };
  const opened = await moduleOpener(create, wasm, threaded, threadScope(isolated))(wanted);
  return { ...opened, options: Reflect.get(opened.module, 'options') as unknown, create };
}

test('an isolated page gets the build with threads', async () => {
  const { mostThreads: most, options, create } = await open(true, true);
  expect(most).toBe(4);
  expect(options).toMatchObject({ threads: 4 });
  expect(create).not.toHaveBeenCalled();
});

test('any other page gets the build without, and so does one that wants a single thread', async () => {
  for (const [isolated, wanted] of [
    [false, undefined],
    [true, 1],
  ] as const) {
    const { mostThreads: most, create } = await open(isolated, true, wanted);
    expect(most).toBe(1);
    expect(create.mock.calls[0]?.[0]?.locateFile?.('llamacpp.wasm')).toBe(
      'http://site/llamacpp.wasm',
    );
  }
});

test('if the build with threads cannot be opened, the other one runs', async () => {
  const { mostThreads: most, create } = await open(true, false);
  expect(most).toBe(1);
  expect(create).toHaveBeenCalledOnce();
});
