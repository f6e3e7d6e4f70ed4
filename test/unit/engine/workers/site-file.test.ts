import { afterEach, describe, expect, test, vi } from 'vitest';
import { siteFile, wasmFault } from '../../../../src/engine/workers/site-file.ts';

const FILE = new URL('https://site.example/app/onnx.wasm');
const EMPTY_MODULE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

afterEach(() => void vi.unstubAllGlobals());

function serve(body: BodyInit | null, init?: ResponseInit): void {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body, init)));
}

const HTML = { headers: { 'content-type': 'text/html; charset=utf-8' } };
const broken = () =>
  new ReadableStream({ start: (controller) => controller.error(new Error('network')) });

const FAULTS: [string, () => void, RegExp][] = [
  ['404', () => serve('', { status: 404 }), /onnx\.wasm is missing\. Run `npx slashv1 init`/],
  ['500', () => serve('', { status: 500 }), /its server answers 500/],
  ['a page', () => serve('<!doctype html>', HTML), /sends a page in its place\. Run `npx/],
  ['nothing', () => serve(''), /is empty\. Run `npx/],
  [
    'no answer',
    () => vi.stubGlobal('fetch', () => Promise.reject(new Error())),
    /cannot be fetched/,
  ],
  ['an answer that breaks off', () => serve(broken()), /cannot be fetched/],
];

test.each(FAULTS)('a file that a worker needs and cannot have: %s', async (_, set, message) => {
  set();
  await expect(siteFile(FILE)).rejects.toMatchObject({
    data: { code: 'site_file_broken', message: expect.stringMatching(message) },
  });
});

describe('WebAssembly that did not start', () => {
  test.each(FAULTS)('cannot be had: %s', async (_, set, message) => {
    set();
    const fault = await wasmFault(FILE, new Error('Aborted(both async and sync fetching failed)'));
    expect(fault.message).toMatch(message);
  });

  test.each([
    ['in its header', EMPTY_MODULE.slice(0, 6)],
    ['in a section', Uint8Array.of(...EMPTY_MODULE, 1, 0x84, 0, 1, 96)],
    ['in the size of a section', Uint8Array.of(...EMPTY_MODULE, 1, 0x84)],
    ['with a section of nonsense', Uint8Array.of(...EMPTY_MODULE, 1, 2, 255, 255)],
  ])('is damaged %s', async (_, bytes) => {
    serve(bytes);
    const fault = await wasmFault(FILE, new Error('Aborted()'));
    expect(fault.message).toMatch(/onnx\.wasm is damaged( or cut off)?\. Run `npx slashv1 init`/);
  });

  test('is forbidden by a policy', async () => {
    serve(EMPTY_MODULE);
    const refuse = () => Promise.reject(new WebAssembly.CompileError('Refused to compile'));
    vi.stubGlobal('WebAssembly', { ...allOfWebAssembly(), compile: refuse });
    const fault = await wasmFault(FILE, new Error('Aborted()'));
    expect(fault.message).toContain("script-src 'wasm-unsafe-eval'");
  });

  test('has its own error otherwise', async () => {
    // One type of a function without parameters and results.
    serve(Uint8Array.of(...EMPTY_MODULE, 1, 0x84, 0, 1, 96, 0, 0));
    const error = new RangeError('Out of memory');
    expect(await wasmFault(FILE, error)).toBe(error);
  });
});

function allOfWebAssembly() {
  const { CompileError, validate } = WebAssembly;
  return { CompileError, validate };
}
