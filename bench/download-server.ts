import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { listen } from '../src/node/serve/listen.ts';
import { randomBytes } from '../test/support/file-source.ts';

const SHARDS = 8;
const SHARD_BYTES = 32 * 1024 * 1024;
/** Sent at once at most; also what a line is measured out in. */
const PIECE_BYTES = 256 * 1024;

/** How far a line may be behind its speed and make up for it, milliseconds. */
const MOST_LATE_MS = 20;

export interface DownloadServer {
  /** Of the pack's folder; ends in "/". */
  url: string;
  /** Of all files but the manifest. */
  urls: string[];
  bytes: number;
  close(): Promise<void>;
}

/**
 * Serves a model pack of random weights, which can be installed and not loaded, as another origin.
 *
 * @param bytesPerSecond - of the line; undefined: as fast as it goes
 */
export async function serveDownload(id: string, bytesPerSecond?: number): Promise<DownloadServer> {
  const files = new Map(
    Array.from({ length: SHARDS }, (_, n) => [`shard_${n}.bin`, randomBytes(SHARD_BYTES, n + 1)]),
  );
  const manifest = JSON.stringify({
    ...{ format: 'slashv1-pack', version: 1, id, revision: 'bench', ownedBy: 'bench', created: 0 },
    ...{ license: 'mit', quantization: 'q4f32_1', contextLength: 1, gpuBytes: 1 },
    modelLibrary: 'shard_0.bin',
    files: [...files].map(([path, bytes]) => ({ path, size: bytes.length, sha256: sha256(bytes) })),
  });
  const line = new Line(bytesPerSecond);
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    const name = request.url?.slice(1) ?? '';
    const bytes = files.get(name);
    if (name === 'manifest.json') return void response.end(manifest);
    if (!bytes) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-length': bytes.length });
    void send(response, bytes, line);
  });
  const { origin, close } = await listen(server, 0, '--port');
  const urls = [...files.keys()].map((name) => `${origin}/${name}`);
  return { url: `${origin}/`, urls, bytes: SHARDS * SHARD_BYTES, close };
}

async function send(response: ServerResponse, bytes: Buffer, line: Line): Promise<void> {
  for (let at = 0; at < bytes.length && !response.destroyed; at += PIECE_BYTES) {
    const piece = bytes.subarray(at, at + PIECE_BYTES);
    await line.carry(piece.length);
    await new Promise((resolve) => response.write(piece, resolve));
  }
  response.end();
}

/** What all answers go through, one after the other. */
class Line {
  readonly #bytesPerSecond: number;
  /** When all that was to be carried so far has been. */
  #freeAt = 0;

  /** @param bytesPerSecond - undefined: as fast as it goes */
  constructor(bytesPerSecond = Number.POSITIVE_INFINITY) {
    this.#bytesPerSecond = bytesPerSecond;
  }

  /** Resolves when they are through. */
  async carry(bytes: number): Promise<void> {
    const now = performance.now();
    // Timers are late: for that, and no more, it makes up.
    const begin = Math.max(this.#freeAt, now - MOST_LATE_MS);
    this.#freeAt = begin + (1000 * bytes) / this.#bytesPerSecond;
    const early = this.#freeAt - now;
    if (early > 1) await new Promise((resolve) => setTimeout(resolve, early));
  }
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
