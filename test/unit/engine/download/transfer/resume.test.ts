import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { HASHED_PIECE, type PackFile } from '../../../../../src/core/catalog/pack-file.ts';
import type { Installation } from '../../../../../src/core/catalog/variant.ts';
import type { Database } from '../../../../../src/core/database/database.ts';
import { WeightStore } from '../../../../../src/core/weights/weight-store.ts';
import { download } from '../../../../../src/engine/download/transfer/download.ts';
import {
  noTraffic,
  randomBytes,
  randomOffsets,
  sendFile,
  type FileSource,
  type Traffic,
} from '../../../../support/servers/file-source.ts';
import { emptyDatabase } from '../../../support/database.ts';
import { startServer } from '../../../support/servers/http-server.ts';
import { NEVER } from '../../../support/never.ts';

/** More than one segment. */
const SIZE = 5_000_000;
const BYTES = randomBytes(SIZE, 1);
const OTHER = randomBytes(SIZE, 2);
const SHA256 = createHash('sha256').update(BYTES).digest('hex');
const PIECES = [BYTES.subarray(0, HASHED_PIECE), BYTES.subarray(HASHED_PIECE)].map((piece) =>
  createHash('sha256').update(piece).digest('hex'),
);
const KEY: [string, string, string] = ['m', 'r1', 'a.bin'];
let open: () => Promise<Database>;
let store: WeightStore;

beforeEach(() => {
  open = emptyDatabase();
  store = new WeightStore(open);
});

interface Site {
  source: FileSource;
  traffic: Traffic;
  installation: Installation;
  /** Downloads until it ends or breaks off; the next run is a later visit. */
  run(signal?: AbortSignal): Promise<void>;
}

/** @param wrong - what the first responses contain instead of the file */
async function serve(
  rest: Partial<FileSource> = {},
  known: Pick<PackFile, 'sha256' | 'pieces'> = { sha256: SHA256 },
  wrong: Buffer[] = [],
): Promise<Site> {
  const source: FileSource = { bytes: BYTES, etag: '"v1"', ...rest };
  const traffic = noTraffic();
  const server = await startServer({
    '/a.bin': (response, request) => {
      const bytes = wrong.shift() ?? source.bytes;
      void sendFile({ ...source, bytes }, traffic, request, response);
    },
  });
  vi.stubGlobal('location', { origin: new URL(server.url).origin });
  const file = { path: 'a.bin', size: SIZE, url: `${server.url}a.bin`, ...known };
  const installation: Installation = { revision: 'r1', files: [file] };
  const retry = { firstDelayMs: 1, attempts: 1 };
  const run = (signal = NEVER) => download('m', installation, store, vi.fn(), signal, { retry });
  return { source, traffic, installation, run };
}

async function expectWhole(): Promise<void> {
  const file = await store.find(...KEY);
  expect(file?.sha256).toBe(SHA256);
  expect(Buffer.from((await file?.blob.arrayBuffer()) ?? new ArrayBuffer(0)).equals(BYTES)).toBe(
    true,
  );
}

/** Repeats the download until it does not break off. @returns the number of visits */
async function runToItsEnd(run: Site['run']): Promise<number> {
  for (let visits = 1; ; visits++) {
    try {
      await run();
      return visits;
    } catch (error) {
      expect(error).toMatchObject({ data: { message: expect.stringContaining('is kept') } });
    }
  }
}

// Reading and writing so much takes Node seconds when the machine is busy.
vi.setConfig({ testTimeout: 60_000 });

describe('a download that breaks off', () => {
  test('at 20 offsets transfers hardly more than the file, over 20 visits', async () => {
    const { traffic, run } = await serve({ cuts: randomOffsets(20, SIZE, 3) });
    expect(await runToItsEnd(run)).toBe(21);
    expect(traffic.requests).toHaveLength(21);
    expect(traffic.sent).toBeLessThanOrEqual(1.05 * SIZE);
    await expectWhole();
  });

  test('whose pieces have hashes continues where it broke off', async () => {
    const cuts = randomOffsets(5, SIZE, 5);
    const { traffic, run } = await serve({ cuts }, { sha256: SHA256, pieces: PIECES });
    expect(await runToItsEnd(run)).toBe(6);
    expect(traffic.sent).toBeLessThanOrEqual(1.05 * SIZE);
    await expectWhole();
  });

  test('continues by itself while bytes arrive', async () => {
    const cuts = randomOffsets(20, SIZE, 4);
    const { installation, traffic } = await serve({ cuts });
    const retry = { firstDelayMs: 1, attempts: 2 };
    await download('m', installation, store, vi.fn(), NEVER, { retry });
    expect(traffic.sent).toBeLessThanOrEqual(1.05 * SIZE);
    await expectWhole();
  });

  test('asks for the rest of the same version', async () => {
    const { traffic, run } = await serve({ cuts: [4_500_000] });
    await runToItsEnd(run);
    expect(traffic.requests).toEqual([
      { range: undefined, ifRange: undefined },
      { range: 'bytes=4500000-', ifRange: '"v1"' },
    ]);
  });

  test('recognises a version by its date, too', async () => {
    const lastModified = 'Fri, 20 Nov 2026 10:00:00 GMT';
    const { source, traffic, run } = await serve({ lastModified, cuts: [4_500_000] });
    delete source.etag;
    await runToItsEnd(run);
    expect(traffic.requests[1]?.ifRange).toBe(lastModified);
    await expectWhole();
  });

  test('of another origin asks without If-Range, which would need a preflight', async () => {
    const { traffic, run } = await serve({ cuts: [4_500_000] });
    vi.stubGlobal('location', { origin: 'https://site.example' });
    await runToItsEnd(run);
    expect(traffic.requests[1]).toEqual({ range: 'bytes=4500000-', ifRange: undefined });
    await expectWhole();
  });

  test('keeps the downloaded part when it is cancelled', async () => {
    const controller = new AbortController();
    const hold = { at: 4_600_000, until: new Promise<void>(() => undefined) };
    const { source, traffic, run } = await serve({ hold });
    const reason = new Error('enough');
    const running = run(controller.signal);
    await vi.waitFor(() => expect(traffic.sent).toBe(4_600_000));
    await vi.waitFor(async () => expect(await store.received(KEY)).toBeGreaterThan(0));
    controller.abort(reason);
    await expect(running).rejects.toBe(reason);
    delete source.hold;
    await run();
    expect(traffic.requests[1]?.range).toMatch(/^bytes=4\d{6}-$/);
    await expectWhole();
  });
});

describe('a download starts over', () => {
  test('if the server sends no ranges', async () => {
    const { traffic, run } = await serve({ ranges: false, cuts: [4_500_000] });
    await runToItsEnd(run);
    expect(traffic.sent).toBe(4_500_000 + SIZE);
    await expectWhole();
  });

  test.each(['same', 'another'] as const)(
    'when the file has changed at the %s origin',
    async (origin) => {
      const { source, run } = await serve({ bytes: OTHER, cuts: [4_500_000] });
      if (origin === 'another') vi.stubGlobal('location', { origin: 'https://site.example' });
      await expect(run()).rejects.toThrow(/is kept/);
      Object.assign(source, { bytes: BYTES, etag: '"v2"' });
      await runToItsEnd(run);
      await expectWhole();
    },
  );

  test('if the file has become shorter than the downloaded part', async () => {
    const { source, run } = await serve({ bytes: OTHER, cuts: [4_500_000] });
    vi.stubGlobal('location', { origin: 'https://site.example' });
    await expect(run()).rejects.toThrow(/is kept/);
    source.bytes = OTHER.subarray(0, 4_000_000);
    await expect(run()).rejects.toThrow(/The file has changed/);
    source.bytes = BYTES;
    await run();
    await expectWhole();
  });

  test('if nothing tells whether two parts belong to one file', async () => {
    const site = await serve({ cuts: [4_500_000] });
    delete site.source.etag;
    site.installation.files = site.installation.files.map(({ path, size, url }) => ({
      path,
      size,
      url,
    }));
    await expect(site.run()).rejects.toThrow(/is kept/);
    await site.run();
    expect(site.traffic.requests[1]?.range).toBeUndefined();
    await expectWhole();
  });

  test('once, if the downloaded bytes are not the file', async () => {
    const { traffic, run } = await serve({}, { sha256: SHA256 }, [OTHER]);
    await run();
    expect(traffic.requests).toHaveLength(2);
    await expectWhole();
  });

  test('once, if a piece of it has another hash, which is an error the second time', async () => {
    const known = { sha256: SHA256, pieces: PIECES };
    const { traffic, run } = await serve({}, known, [OTHER]);
    await run();
    expect(traffic.requests).toHaveLength(2);
    await expectWhole();
    await store.remove('m');
    const wrong = await serve({}, known, [OTHER, OTHER]);
    await expect(wrong.run()).rejects.toThrow(
      'is not the expected file: a piece of it has another SHA-256',
    );
    expect(await store.received(KEY)).toBe(0);
  });

  test('if a stored segment differs from what was downloaded', async () => {
    const { traffic, run } = await serve({ cuts: [4_500_000] });
    await expect(run()).rejects.toThrow(/is kept/);
    const [first] = (await store.partial(KEY))?.segments ?? [];
    const other = new Uint8Array(OTHER).subarray(0, first?.blob.size);
    await store.append(KEY, 0, { blob: new Blob([other]), validator: '"v1"' });
    await run();
    expect(traffic.requests.map(({ range }) => range)).toEqual([
      ...[undefined, 'bytes=4500000-', undefined],
    ]);
    await expectWhole();
  });
});

test('a file that is deleted during its download is downloaded again', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { source, traffic, run } = await serve({ hold: { at: 4_600_000, until: promise } });
  const running = run();
  await vi.waitFor(async () => expect(await store.received(KEY)).toBeGreaterThan(0));
  await store.remove('m');
  delete source.hold;
  resolve();
  await running;
  expect(traffic.requests).toHaveLength(2);
  await expectWhole();
});

test('if a part of the right file is deleted twice, the error says so', async () => {
  const { traffic, run } = await serve({});
  const complete = vi.spyOn(store, 'complete').mockResolvedValue(false);
  onTestFinished(() => complete.mockRestore());
  await expect(run()).rejects.toThrow(/A part of .* was deleted while it was downloaded/);
  expect(traffic.requests).toHaveLength(2);
});

test('a connection over which nothing arrives is given up after half a minute', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  const { traffic, run } = await serve({ hold: { at: 4_500_000, until: new Promise(() => {}) } });
  const fetched = vi.spyOn(globalThis, 'fetch');
  const ended = vi.fn<(error: unknown) => void>();
  const running = run().catch(ended);
  await vi.waitFor(async () => expect(await store.received(KEY)).toBeGreaterThan(0));
  await vi.advanceTimersByTimeAsync(27_000);
  const signal = fetched.mock.calls[0]?.[1]?.signal;
  expect(signal?.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(6_000);
  await running;
  expect(ended).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ message: expect.stringContaining('No data arrived for 30 seconds') }),
  );
  expect(traffic.requests).toHaveLength(1);
  expect(await store.received(KEY)).toBe(4_500_000);
});
