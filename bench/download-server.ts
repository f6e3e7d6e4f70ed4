import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { listen } from '../src/node/serve/listen.ts';
import { randomBytes } from '../test/support/servers/file-source.ts';
import { Line } from './line.ts';

const SHARDS = 8;
const SHARD_BYTES = 32 * 1024 * 1024;
/** The server writes one piece of this size at a time. */
const PIECE_BYTES = 256 * 1024;

export interface DownloadServer {
  /** URL of the pack's folder; ends in "/". */
  url: string;
  /** URLs of all files except the manifest. */
  urls: string[];
  /** Size of all these files. */
  bytes: number;
  close(): Promise<void>;
}

/**
 * Serves a model pack of random weights from an origin of its own. The pack can be installed but not
 * loaded.
 *
 * @param bytesPerSecond - limit of the line; undefined: no limit
 */
export async function serveDownload(id: string, bytesPerSecond?: number): Promise<DownloadServer> {
  const files = new Map(
    Array.from({ length: SHARDS }, (_, n) => [`shard_${n}.bin`, randomBytes(SHARD_BYTES, n + 1)]),
  );
  const manifest = JSON.stringify({
    format: 'slashv1-pack',
    version: 1,
    id,
    revision: 'bench',
    ownedBy: 'bench',
    created: 0,
    license: 'mit',
    quantization: 'q4f32_1',
    contextLength: 1,
    gpuBytes: 1,
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

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
