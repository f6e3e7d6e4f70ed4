import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import {
  noTraffic,
  randomBytes,
  sendFile,
  type FileSource,
  type Traffic,
} from '../../support/file-source.ts';
import { closeServer, PACKS, port } from './site.ts';

/** A hub on this machine: the paths, redirects and headers of the real one, for one repository. */
export interface TestHub {
  /** What `start` takes as `hub`. */
  url: string;
  /** What `start` takes as `libraries`. */
  libraries: string;
  requests: string[];
  /** By the name of the file: what is sent, and what goes wrong on the way; may be changed. */
  files: Map<string, FileSource>;
  /** What was asked for of the large files, and what that cost. */
  traffic: Traffic;
  close(): Promise<void>;
}

interface HubOptions {
  /** Of a second shard that the model does not need, for downloads that take long, bytes. */
  moreBytes?: number;
}

/** The second shard. */
export const MORE = 'params_shard_1.bin';

const SHA = '0123456789abcdef0123456789abcdef01234567';

/** As the real hub has it: what a page may read of an answer. */
const EXPOSED = 'X-Repo-Commit,ETag,Link,Accept-Ranges,Content-Range';

/**
 * @param repository - what tiny-chat's files are offered as
 * @param library - path of the model library below `libraries`
 */
export async function serveTestHub(
  repository: string,
  library: string,
  { moreBytes = 0 }: HubOptions = {},
): Promise<TestHub> {
  const { files, wasm } = tinyChat(moreBytes);
  // The list names what the files are, whatever is sent.
  const tree = [...files].map(([path, { bytes }]) => treeEntry(path, bytes));
  const requests: string[] = [];
  const traffic = noTraffic();
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    requests.push(path);
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-expose-headers', EXPOSED);
    if (path === `/api/models/${repository}/revision/main`) return json(response, { sha: SHA });
    if (path === `/api/models/${repository}/tree/${SHA}`) {
      return json(response, [...tree, treeEntry('README.md', Buffer.from('any'))]);
    }
    if (path === `/libraries/${library}`) return void send(request, response, { bytes: wasm });
    const [, where, name = ''] = /^\/(.+)\/([\w.-]+)$/.exec(path) ?? [];
    const file = files.get(name);
    if (!file) return void response.writeHead(404).end();
    if (where === 'cdn') return void sendFile(file, traffic, request, response);
    // Large files come from another host; the hub only says where.
    if (where === `${repository}/resolve/${SHA}` && name.endsWith('.bin')) {
      return void response.writeHead(302, { location: `/cdn/${name}` }).end();
    }
    void send(request, response, file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${port(server)}/`;
  const close = () => closeServer(server);
  return { url, libraries: `${url}libraries/`, requests, files, traffic, close };
}

function tinyChat(moreBytes: number): { files: Map<string, FileSource>; wasm: Buffer } {
  const folder = PACKS['tiny-chat'] ?? '';
  const read = (name: string) => readFileSync(join(folder, name));
  const names = readdirSync(folder).filter(
    (name) => !['manifest.json', 'model.wasm'].includes(name),
  );
  const files = new Map(names.map((name): [string, FileSource] => [name, source(read(name))]));
  if (moreBytes > 0) files.set(MORE, source(randomBytes(moreBytes, 1)));
  return { files, wasm: read('model.wasm') };
}

function source(bytes: Buffer): FileSource {
  return { bytes, etag: `"${sha256(bytes)}"`, cuts: [] };
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** As the hub lists a file: those in large file storage with their SHA-256. */
export function treeEntry(path: string, bytes: Buffer) {
  const lfs = { oid: sha256(bytes), size: bytes.length, pointerSize: 134 };
  const shared = { type: 'file', path, size: bytes.length, oid: 'f'.repeat(40) };
  return path.endsWith('.bin') ? { ...shared, lfs } : shared;
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function send(request: IncomingMessage, response: ServerResponse, file: FileSource): Promise<void> {
  return sendFile(file, noTraffic(), request, response);
}
