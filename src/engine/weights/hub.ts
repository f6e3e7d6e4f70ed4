import * as v from 'valibot';
import { modelNotFound, serverError } from '../../core/protocol/errors.ts';
import type { HubSource, Installation } from '../../core/stores/catalog-entry.ts';

const infoSchema = v.object({ sha: v.string() });

/** One entry of the hub's tree listing; files in large file storage carry their SHA-256. */
const treeSchema = v.array(
  v.object({
    type: v.string(),
    path: v.string(),
    size: v.optional(v.number(), 0),
    lfs: v.optional(v.object({ oid: v.string() })),
  }),
);

/** What WebLLM and the chat template need of a repository, beside the weights. */
const NEEDED = new Set([
  'mlc-chat-config.json',
  'tensor-cache.json',
  'tokenizer.json',
  'tokenizer.model',
  'tokenizer_config.json',
  'chat_template.jinja',
]);

/** Where hub models come from; both end in "/". */
export interface Hub {
  hub: string;
  /** Folder of the model libraries, which the hub does not have. */
  libraries: string;
}

/**
 * Everything that installing a hub model takes, pinned to the repository's present commit.
 *
 * @throws ApiError 404 for an unknown repository, 500 when the hub cannot be reached
 */
export async function hubInstallation(
  { hub, libraries }: Hub,
  source: HubSource,
  signal: AbortSignal,
): Promise<Installation> {
  const isNeeded = (path: string) => NEEDED.has(path) || /^params_shard_\d+\.bin$/.test(path);
  const { sha, files } = await hubFiles(hub, source.repository, isNeeded, signal);
  checkComplete(files, source);
  const wasm = await library(new URL(source.modelLibrary, libraries), source.repository, signal);
  return { revision: sha, modelLibrary: LIBRARY, files: [...files, wasm] };
}

/**
 * Files of a repository's present commit.
 *
 * @throws ApiError 404 for an unknown repository, 500 when the hub cannot be reached
 */
export async function hubFiles(
  hub: string,
  repository: string,
  isNeeded: (path: string) => boolean,
  signal: AbortSignal,
): Promise<{ sha: string; files: Installation['files'] }> {
  const sha = await latestCommit(hub, repository, signal);
  const listing = new URL(`${apiPath(repository)}/tree/${sha}?recursive=true`, hub);
  const tree = await fetchAs(treeSchema, listing, repository, signal);
  const folder = hubFolder(hub, repository, sha);
  const files = tree
    .filter(({ type, path }) => type === 'file' && isNeeded(path))
    .map(({ path, size, lfs }) => ({
      path,
      size,
      url: new URL(path, folder).href,
      ...(lfs && { sha256: lfs.oid }),
    }));
  return { sha, files };
}

/** @throws ApiError 404 for an unknown repository, 500 when the hub cannot be reached */
export async function latestCommit(
  hub: string,
  repository: string,
  signal: AbortSignal,
): Promise<string> {
  const url = new URL(`${apiPath(repository)}/revision/main`, hub);
  return (await fetchAs(infoSchema, url, repository, signal)).sha;
}

/** Where a repository's files of one commit are; ends in "/". */
export function hubFolder(hub: string, repository: string, commit: string): URL {
  return new URL(`${pathOf(repository)}/resolve/${commit}/`, hub);
}

/** Models are what the hub's own addresses leave out; `datasets/` is in a repository's name here. */
function apiPath(repository: string): string {
  const path = pathOf(repository);
  return path.startsWith('datasets/') ? `api/${path}` : `api/models/${path}`;
}

function pathOf(repository: string): string {
  return repository.split('/').map(encodeURIComponent).join('/');
}

/** Better known now than after gigabytes. */
function checkComplete(files: { path: string }[], source: HubSource): void {
  for (const needed of ['mlc-chat-config.json', 'tensor-cache.json', 'params_shard_0.bin']) {
    if (files.some(({ path }) => path === needed)) continue;
    throw serverError('engine_error', `${source.repository} is no model for WebLLM: no ${needed}.`);
  }
}

/** Path under which a hub model's library is stored. */
const LIBRARY = 'model.wasm';

/** Nobody publishes a library's hash; its size is known from its headers. */
async function library(
  url: URL,
  repository: string,
  signal: AbortSignal,
): Promise<Installation['files'][number]> {
  const response = await hubFetch(url, repository, signal, 'HEAD');
  const size = Number(response.headers.get('content-length') ?? 0);
  // A compressed transfer's length is not the file's.
  const isExact = response.headers.get('content-encoding') === null;
  return { path: LIBRARY, size: isExact ? size : 0, url: url.href };
}

/** @throws ApiError as hubInstallation */
export async function fetchAs<S extends v.GenericSchema>(
  schema: S,
  url: URL,
  repository: string,
  signal: AbortSignal,
): Promise<v.InferOutput<S>> {
  const response = await hubFetch(url, repository, signal);
  const result = v.safeParse(schema, await response.json().catch(() => undefined));
  if (result.success) return result.output;
  signal.throwIfAborted();
  throw serverError('engine_error', `${url.href} does not answer as the model hub does.`);
}

async function hubFetch(
  url: URL,
  repository: string,
  signal: AbortSignal,
  method = 'GET',
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { signal, method });
  } catch {
    signal.throwIfAborted();
    throw serverError('engine_error', `The hub cannot be reached at ${url.origin}.`);
  }
  if (response.ok) return response;
  // The hub answers 401 for a repository that does not exist.
  if ([401, 403, 404].includes(response.status)) {
    throw modelNotFound(repository, `The hub answered ${response.status} for ${url.href}.`);
  }
  throw serverError('engine_error', `The hub answered ${response.status} for ${url.href}.`);
}
