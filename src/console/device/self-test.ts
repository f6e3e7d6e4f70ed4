import { deleteDB, openDB } from 'idb';
import type { CatalogModel, Slashv1 } from '../../index.ts';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import { formatNumber } from '../ui/format.ts';
import { computeOnGpu, CheckError, Skipped } from './gpu-check.ts';
import { messageOf } from '../../core/text/message-of.ts';

type CheckName = 'worker' | 'storage' | 'simd' | 'webgpu' | 'model';

/** A text that is made when it is shown, in the language of that moment. */
type Text = () => string;

export interface Check {
  name: CheckName;
  outcome: 'passed' | 'failed' | 'skipped';
  /** What was found, or why it failed or was skipped. */
  detail: Text;
}

interface Device {
  v1: Slashv1;
  models: readonly CatalogModel[];
}

/** Timeout of each check, milliseconds. */
const CHECK_MS = 10_000;
/** Size of the file that is stored, bytes. Parts of downloads are as long. */
const STORED_BYTES = 1_000_000;
/** Tokens that a loaded model writes. */
const TOKENS = 8;

const CHECKS: { name: CheckName; run: (device: Device, signal: AbortSignal) => Promise<Text> }[] = [
  { name: 'worker', run: ({ v1 }, signal) => reachApi(v1, signal) },
  { name: 'storage', run: storeAndRead },
  { name: 'simd', run: computeWithSimd },
  { name: 'webgpu', run: computeOnGpu },
  { name: 'model', run: generate },
];

/**
 * Runs the checks one after the other, which takes about two seconds.
 *
 * @param onCheck - called after each
 */
export async function selfTest(device: Device, onCheck: (check: Check) => void): Promise<void> {
  for (const { name, run } of CHECKS) {
    const began = performance.now();
    try {
      const found = await inTime(run(device, AbortSignal.timeout(CHECK_MS)));
      const ms = Math.round(performance.now() - began);
      const detail = () => fill(text().took, { found: found(), ms: formatNumber(ms) });
      onCheck({ name, outcome: 'passed', detail });
    } catch (error) {
      const outcome = error instanceof Skipped ? 'skipped' : 'failed';
      onCheck({ name, outcome, detail: reasonOf(error) });
    }
  }
}

function text() {
  return messages.value.device.test;
}

/** The reason of a failed check. Errors from other code keep their own message. */
function reasonOf(error: unknown): Text {
  return error instanceof CheckError ? error.describe : () => messageOf(error);
}

function inTime<T>(work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new CheckError(() => text().late)), CHECK_MS);
  });
  return Promise.race([work, late]);
}

async function reachApi({ baseURL, apiKey }: Slashv1, signal: AbortSignal): Promise<Text> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const { status } = await fetch(`${baseURL}/models`, { headers, signal });
  if (status !== 200) throw new CheckError(() => fill(text().refused, { status: String(status) }));
  return () => text().reached;
}

async function storeAndRead(): Promise<Text> {
  const name = `slashv1-self-test-${crypto.randomUUID()}`;
  const bytes = new Uint8Array(STORED_BYTES).map((_, index) => index % 251);
  try {
    const database = await openDB(name, 1, { upgrade: (db) => void db.createObjectStore('files') });
    await database.put('files', new Blob([bytes]), 'file');
    const blob: unknown = await database.get('files', 'file');
    database.close();
    const read = blob instanceof Blob ? new Uint8Array(await blob.arrayBuffer()) : bytes.slice(1);
    const isSame = read.length === bytes.length && read.every((byte, at) => byte === bytes[at]);
    if (!isSame) throw new CheckError(() => text().lost);
    return () => text().stored;
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

async function computeWithSimd(): Promise<Text> {
  const { instance } = await WebAssembly.instantiate(SIMD_MODULE);
  const multiply = instance.exports['f'];
  const product: unknown =
    typeof multiply === 'function' ? Reflect.apply(multiply, undefined, []) : undefined;
  if (product !== 42)
    throw new CheckError(() => fill(text().wrongNumber, { number: String(product) }));
  return () => (crossOriginIsolated ? text().threads : text().oneThread);
}

/** Uses the smallest chat model that is loaded, because loading one could take minutes. */
async function generate({ v1, models }: Device, signal: AbortSignal): Promise<Text> {
  const [model] = models
    .filter(({ state, task }) => state === 'loaded' && task === 'chat')
    .toSorted((a, b) => (a.memoryBytes ?? 0) - (b.memoryBytes ?? 0));
  if (!model) throw new Skipped(() => text().noModel);
  const response = await fetch(`${v1.baseURL}/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${v1.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: model.id, prompt: 'One, two, three,', max_tokens: TOKENS }),
    signal,
  });
  if (!response.ok)
    throw new CheckError(() =>
      fill(text().modelRefused, { model: model.id, status: String(response.status) }),
    );
  await response.json();
  return () => fill(text().wrote, { model: model.id });
}
