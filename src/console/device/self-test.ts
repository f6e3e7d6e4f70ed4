import { deleteDB, openDB } from 'idb';
import type { CatalogModel, Slashv1 } from '../../index.ts';
import { errorMessage } from '../error-message.ts';
import { computeOnGpu } from './gpu-check.ts';
import { Skipped } from './skipped.ts';

export interface Check {
  name: string;
  outcome: 'passed' | 'failed' | 'skipped';
  /** What was found, or why it failed or was skipped. */
  detail: string;
}

interface Device {
  v1: Slashv1;
  models: readonly CatalogModel[];
}

/** Each takes this long at most, milliseconds. */
const CHECK_MS = 10_000;
/** As long as a part of a download, bytes. */
const STORED_BYTES = 1_000_000;
/** Tokens that a loaded model writes. */
const TOKENS = 8;

const CHECKS: { name: string; run: (device: Device, signal: AbortSignal) => Promise<string> }[] = [
  { name: 'Service worker', run: ({ v1 }, signal) => reachApi(v1, signal) },
  { name: 'Storage', run: storeAndRead },
  { name: 'WebAssembly with SIMD', run: computeWithSimd },
  { name: 'WebGPU', run: computeOnGpu },
  { name: 'Model', run: generate },
];

/**
 * Makes each check, one after the other: about two seconds.
 *
 * @param onCheck - called after each
 */
export async function selfTest(device: Device, onCheck: (check: Check) => void): Promise<void> {
  for (const { name, run } of CHECKS) {
    const began = performance.now();
    try {
      const found = await inTime(run(device, AbortSignal.timeout(CHECK_MS)));
      const ms = Math.round(performance.now() - began);
      onCheck({ name, outcome: 'passed', detail: `${found} (${ms} ms)` });
    } catch (error) {
      const outcome = error instanceof Skipped ? 'skipped' : 'failed';
      onCheck({ name, outcome, detail: errorMessage(error) });
    }
  }
}

function inTime<T>(work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('It took longer than ten seconds.')), CHECK_MS);
  });
  return Promise.race([work, late]);
}

async function reachApi({ baseURL, apiKey }: Slashv1, signal: AbortSignal): Promise<string> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const { status } = await fetch(`${baseURL}/models`, { headers, signal });
  if (status !== 200) throw new Error(`It answered ${status} to GET /v1/models.`);
  return 'It answered GET /v1/models';
}

async function storeAndRead(): Promise<string> {
  const name = `slashv1-self-test-${crypto.randomUUID()}`;
  const bytes = new Uint8Array(STORED_BYTES).map((_, index) => index % 251);
  try {
    const database = await openDB(name, 1, { upgrade: (db) => void db.createObjectStore('files') });
    await database.put('files', new Blob([bytes]), 'file');
    const blob: unknown = await database.get('files', 'file');
    database.close();
    const read = blob instanceof Blob ? new Uint8Array(await blob.arrayBuffer()) : bytes.slice(1);
    const isSame = read.length === bytes.length && read.every((byte, at) => byte === bytes[at]);
    if (!isSame) throw new Error('What was read is not what was written.');
    return 'A megabyte was written, and read again';
  } finally {
    await deleteDB(name);
  }
}

/** A function without parameters that multiplies vectors of 7 and 6, and returns one number of the result. */
const SIMD_MODULE = new Uint8Array([
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  ...[1, 5, 1, 96, 0, 1, 127],
  ...[3, 2, 1, 0],
  ...[7, 5, 1, 1, 102, 0, 0],
  ...[10, 18, 1, 16, 0, 65, 7, 253, 17, 65, 6, 253, 17, 253, 181, 1, 253, 27, 2, 11],
]);

async function computeWithSimd(): Promise<string> {
  const { instance } = await WebAssembly.instantiate(SIMD_MODULE);
  const multiply = instance.exports['f'];
  const product: unknown =
    typeof multiply === 'function' ? Reflect.apply(multiply, undefined, []) : undefined;
  if (product !== 42) throw new Error(`It computed ${String(product)}, not 42.`);
  return crossOriginIsolated
    ? 'It computed right; several threads can share memory'
    : 'It computed right; one thread, because the page is not isolated';
}

/** With the smallest chat model in memory: to load one could take minutes. */
async function generate({ v1, models }: Device, signal: AbortSignal): Promise<string> {
  const [model] = models
    .filter(({ state, task }) => state === 'loaded' && task === 'chat')
    .toSorted((a, b) => (a.memoryBytes ?? 0) - (b.memoryBytes ?? 0));
  if (!model) throw new Skipped('No chat model is in memory. Load one on the page of models.');
  const response = await fetch(`${v1.baseURL}/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${v1.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: model.id, prompt: 'One, two, three,', max_tokens: TOKENS }),
    signal,
  });
  if (!response.ok) throw new Error(`${model.id} answered ${response.status}.`);
  await response.json();
  return `${model.id} wrote a few words`;
}
