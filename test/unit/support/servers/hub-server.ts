import { createHash } from 'node:crypto';
import {
  noTraffic,
  sendFile,
  type FileSource,
  type Traffic,
} from '../../../support/servers/file-source.ts';
import { sends, sendsJson, startServer, type Answer, type HttpServer } from './http-server.ts';

export const REPOSITORY = 'mlc-ai/Some-1B-q4f16_1-MLC';
export const COMMIT = 'c0ffee00';
export const LIBRARY = 'libs/some.wasm';

/** The small files of a repository. */
export const HUB_FILES: Record<string, string> = {
  'mlc-chat-config.json': '{}',
  'tensor-cache.json': '{"records":[]}',
  'tokenizer.json': '{}',
  'tokenizer_config.json': '{"chat_template":"<think></think>"}',
  'params_shard_0.bin': 'weights 0',
  'params_shard_1.bin': 'weights 1',
  'README.md': 'nobody needs this',
};

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A model hub with one repository and the folder of model libraries, at the hub's paths. */
export function startHub(changes: Record<string, Answer> = {}): Promise<HttpServer> {
  const tree = Object.entries(HUB_FILES).map(([path, content]) => ({
    type: 'file',
    oid: 'git-hash',
    path,
    size: content.length,
    ...(path.endsWith('.bin') && { lfs: { oid: sha256(content), size: content.length } }),
  }));
  const files = Object.entries(HUB_FILES).map(([path, content]): [string, Answer] => [
    `/${REPOSITORY}/resolve/${COMMIT}/${path}`,
    sends(content),
  ]);
  return startServer({
    [`/api/models/${REPOSITORY}/revision/main`]: sendsJson({ id: REPOSITORY, sha: COMMIT }),
    [`/api/models/${REPOSITORY}/tree/${COMMIT}?recursive=true`]: sendsJson([
      { type: 'directory', path: 'logs', oid: 'git-hash', size: 0 },
      ...tree,
    ]),
    ...Object.fromEntries(files),
    [`/${LIBRARY}`]: sends('wasm', { 'content-length': '4' }),
    ...changes,
  });
}

/**
 * A repository on the hub whose files are in large file storage, which sends parts of them.
 *
 * @param traffic - collects the requests for its files
 */
export function largeFiles(
  repository: string,
  files: Record<string, Buffer>,
  traffic: Traffic = noTraffic(),
): Record<string, Answer> {
  const tree = Object.entries(files).map(([path, bytes]) => {
    const lfs = { oid: createHash('sha256').update(bytes).digest('hex'), size: bytes.length };
    return { type: 'file', oid: 'git-hash', path, size: bytes.length, lfs };
  });
  const answers = Object.entries(files).map(([path, bytes]): [string, Answer] => [
    `/${repository}/resolve/${COMMIT}/${path}`,
    sendsFile({ bytes }, traffic),
  ]);
  return {
    [`/api/models/${repository}/revision/main`]: sendsJson({ id: repository, sha: COMMIT }),
    [`/api/models/${repository}/tree/${COMMIT}?recursive=true`]: sendsJson(tree),
    ...Object.fromEntries(answers),
  };
}

export const sendsFile =
  (source: FileSource, traffic: Traffic = noTraffic()): Answer =>
  (response, request) =>
    void sendFile(source, traffic, request, response);
