import { createHash } from 'node:crypto';
import { sends, sendsJson, startServer, type Answer, type HttpServer } from './http-server.ts';

export const REPOSITORY = 'mlc-ai/Some-1B-q4f16_1-MLC';
export const COMMIT = 'c0ffee00';
export const LIBRARY = 'libs/some.wasm';

/** The files of a repository, small ones. */
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

/** A model hub with one repository, and the folder of model libraries; speaks the hub's paths. */
export function startHub(changes: Record<string, Answer> = {}): Promise<HttpServer> {
  const tree = Object.entries(HUB_FILES).map(([path, content]) => ({
    ...{ type: 'file', oid: 'git-hash', path, size: content.length },
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
