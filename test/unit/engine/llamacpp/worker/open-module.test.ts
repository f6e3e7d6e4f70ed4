import { afterEach, expect, test, vi } from 'vitest';
import type { LlamaModule, LlamaModuleFactory } from '../../../../../models/llamacpp/module.ts';
import { moduleOpener } from '../../../../../src/engine/llamacpp/worker/open-module.ts';
import { serveNothing } from '../../../support/servers/silent-server.ts';
import { threadScope } from '../../../support/models/thread-scope.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

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

test('if the WebAssembly of the build with threads never comes, the other one runs', async () => {
  vi.useFakeTimers();
  serveNothing();
  const endless = 'export default () => new Promise(() => undefined);';
  const threaded = {
    script: new URL(`data:text/javascript,${encodeURIComponent(endless)}`),
    wasm: new URL('http://site/llamacpp-threads.wasm'),
  };
  const create = vi.fn<LlamaModuleFactory>(async () => ({}) as LlamaModule);
  const wasm = new URL('http://site/llamacpp.wasm');
  const opened = moduleOpener(create, wasm, threaded, threadScope(true))(undefined);
  await vi.advanceTimersByTimeAsync(25_000);
  expect((await opened).mostThreads).toBe(1);
});

test('WebAssembly that never comes is given up, and the error says so', async () => {
  vi.useFakeTimers();
  const { requests } = serveNothing();
  const create: LlamaModuleFactory = () => new Promise(() => undefined);
  const wasm = new URL('http://site/llamacpp.wasm');
  const threaded = { script: script(false), wasm };
  const opening = moduleOpener(create, wasm, threaded, threadScope(false))(undefined);
  const failed = expect(opening).rejects.toThrow(
    'http://site/llamacpp.wasm cannot be fetched: the network or the server fails.',
  );
  await vi.advanceTimersByTimeAsync(25_000);
  await failed;
  expect(requests).toEqual([wasm.href, wasm.href]);
});
