import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { modelLibURLPrefix, prebuiltAppConfig } from '@mlc-ai/web-llm';
import {
  noTraffic,
  randomBytes,
  sendFile,
  type FileSource,
  type Traffic,
} from '../../../support/servers/file-source.ts';
import { searchAnswer, type ListedRepository } from './hub-search.ts';
import { listenAnywhere, sendJson } from '../servers.ts';
import { packFiles } from './pack-files.ts';
import { PACKS } from '../site.ts';

/** The repository that offers tiny-chat's files. */
export const HUB_MODEL = 'mlc-ai/SmolLM2-135M-Instruct-q0f32-MLC';

/** Path of the repository's model library below `libraries`. */
const LIBRARY = (
  prebuiltAppConfig.model_list.find(({ model }) => model.endsWith(HUB_MODEL))?.model_lib ?? ''
).replace(modelLibURLPrefix, '');

/** A hub on this machine: the paths, redirects and headers of the real one, for one repository. */
export interface TestHub {
  /** URLs of the hub and of the model libraries, as `start` takes them. */
  options: { hub: string; libraries: string };
  /** Paths of all requests, in order. */
  requests: string[];
  /** Parameters of all searches. */
  searches: URLSearchParams[];
  /** File name → what is sent and what goes wrong on the way. A test may change it. */
  files: Map<string, FileSource>;
  /** The requests for large files, and the bytes sent for them. */
  traffic: Traffic;
  close(): Promise<void>;
}

interface HubOptions {
  repository?: string;
  /** Bytes of a second shard. The model does not need it, but its download takes longer with it. */
  moreBytes?: number;
  /** What its search finds; undefined: it has no search. */
  listed?: readonly ListedRepository[];
}

/** The second shard. */
export const MORE = 'params_shard_1.bin';

/** The licence that the repository names. */
export const HUB_LICENSE = 'apache-2.0';

const SHA = '0123456789abcdef0123456789abcdef01234567';

/** The headers that the real hub lets a page read. */
export const EXPOSED = 'X-Repo-Commit,ETag,Link,Accept-Ranges,Content-Range';

export async function serveTestHub({
  repository = HUB_MODEL,
  moreBytes = 0,
  listed,
}: HubOptions = {}): Promise<TestHub> {
  const { files, wasm } = tinyChat(moreBytes);
  // The list describes the original files, whatever is sent later.
  const tree = [...files].map(([path, { bytes }]) => treeEntry(path, bytes));
  const requests: string[] = [];
  const searches: URLSearchParams[] = [];
  const traffic = noTraffic();
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    requests.push(path);
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-expose-headers', EXPOSED);
    if (path === '/api/models' && listed) {
      const asked = new URL(request.url ?? '', 'http://hub').searchParams;
      searches.push(asked);
      return sendJson(response, searchAnswer(listed, asked));
    }
    if (path === `/api/models/${repository}/revision/main`) {
      return sendJson(response, { sha: SHA, tags: ['mlc-llm', `license:${HUB_LICENSE}`] });
    }
    if (path === `/api/models/${repository}/tree/${SHA}`) {
      return sendJson(response, [...tree, treeEntry('README.md', Buffer.from('any'))]);
    }
    if (path === `/libraries/${LIBRARY}`) return void send(request, response, { bytes: wasm });
    const [, where, name = ''] = /^\/(.+)\/([\w.-]+)$/.exec(path) ?? [];
    const file = files.get(name);
    if (!file) return void response.writeHead(404).end();
    if (where === 'cdn') return void sendFile(file, traffic, request, response);
    // The real hub redirects requests for large files to another host.
    if (where === `${repository}/resolve/${SHA}` && name.endsWith('.bin')) {
      return void response.writeHead(302, { location: `/cdn/${name}` }).end();
    }
    void send(request, response, file);
  });
  const { origin, close } = await listenAnywhere(server);
  const options = { hub: `${origin}/`, libraries: `${origin}/libraries/` };
  return { options, requests, searches, files, traffic, close };
}

/** The second shard's file. */
export function moreOf({ files }: TestHub): FileSource {
  const file = files.get(MORE);
  if (!file) throw new Error(`The hub has no ${MORE}.`);
  return file;
}

/** Makes answers with the second shard wait at an offset, until the returned function is called. */
export function hold(hub: TestHub, at: number): () => void {
  const file = moreOf(hub);
  const { promise, resolve } = Promise.withResolvers<void>();
  file.hold = { at, until: promise };
  return () => {
    delete file.hold;
    resolve();
  };
}

function tinyChat(moreBytes: number): { files: Map<string, FileSource>; wasm: Buffer } {
  const folder = PACKS['tiny-chat'] ?? '';
  const read = (name: string) => readFileSync(join(folder, name));
  const paths = packFiles('tiny-chat').map(({ path }) => path);
  const names = paths.filter((path) => path !== 'model.wasm');
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

/** A file in the hub's list. Files in large file storage have their SHA-256. */
export function treeEntry(path: string, bytes: Buffer) {
  const lfs = { oid: sha256(bytes), size: bytes.length, pointerSize: 134 };
  const shared = { type: 'file', path, size: bytes.length, oid: 'f'.repeat(40) };
  return /\.(bin|gguf)$/.test(path) ? { ...shared, lfs } : shared;
}

function send(request: IncomingMessage, response: ServerResponse, file: FileSource): Promise<void> {
  return sendFile(file, noTraffic(), request, response);
}
