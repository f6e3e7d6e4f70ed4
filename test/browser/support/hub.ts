import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { closeServer, PACKS, port } from './site.ts';

/** A hub on this machine: the paths, redirects and headers of the real one, for one repository. */
export interface TestHub {
  /** What `start` takes as `hub`. */
  url: string;
  /** What `start` takes as `libraries`. */
  libraries: string;
  requests: string[];
  close(): Promise<void>;
}

const SHA = '0123456789abcdef0123456789abcdef01234567';

/**
 * @param repository - what tiny-chat's files are offered as
 * @param library - path of the model library below `libraries`
 */
export async function serveTestHub(repository: string, library: string): Promise<TestHub> {
  const folder = PACKS['tiny-chat'] ?? '';
  const files = readdirSync(folder).filter(
    (file) => !['manifest.json', 'model.wasm'].includes(file),
  );
  const read = (file: string) => readFileSync(join(folder, file));
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    requests.push(path);
    response.setHeader('access-control-allow-origin', '*');
    if (path === `/api/models/${repository}/revision/main`) return json(response, { sha: SHA });
    if (path === `/api/models/${repository}/tree/${SHA}`) {
      return json(
        response,
        [...files, 'README.md'].map((file) => treeEntry(file, files, read)),
      );
    }
    if (path === `/libraries/${library}`) return send(response, read('model.wasm'), request.method);
    const [, where, file] = /^\/(.+)\/([\w.-]+)$/.exec(path) ?? [];
    if (!file || !files.includes(file)) return void response.writeHead(404).end();
    // Large files come from another host; the hub only says where.
    if (where === `${repository}/resolve/${SHA}` && file.endsWith('.bin')) {
      return void response.writeHead(302, { location: `/cdn/${file}` }).end();
    }
    send(response, read(file), request.method);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${port(server)}/`;
  return { url, libraries: `${url}libraries/`, requests, close: () => closeServer(server) };
}

/** As the hub lists a file: those in large file storage with their SHA-256. */
function treeEntry(file: string, files: string[], read: (file: string) => Buffer) {
  if (!files.includes(file)) return { type: 'file', path: file, size: 3, oid: 'f'.repeat(40) };
  const bytes = read(file);
  const oid = createHash('sha256').update(bytes).digest('hex');
  const lfs = file.endsWith('.bin') ? { lfs: { oid, size: bytes.length, pointerSize: 134 } } : {};
  return { type: 'file', path: file, size: bytes.length, oid: 'f'.repeat(40), ...lfs };
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function send(response: ServerResponse, bytes: Buffer, method: string | undefined): void {
  response.writeHead(200, { 'content-length': bytes.length });
  response.end(method === 'HEAD' ? undefined : bytes);
}
