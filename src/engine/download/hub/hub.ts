import * as v from 'valibot';
import { modelNotFound, serverError } from '../../../core/errors/errors.ts';
import { fileUrl } from '../../../core/catalog/file-url.ts';
import type { Installation } from '../../../core/catalog/variant.ts';

const infoSchema = v.object({ sha: v.string(), tags: v.optional(v.array(v.string()), []) });

const LICENSE = 'license:';

/** The hub's listing of a repository's files; files in large file storage have a SHA-256. */
const treeSchema = v.array(
  v.object({
    type: v.string(),
    path: v.string(),
    size: v.optional(v.number(), 0),
    lfs: v.optional(v.object({ oid: v.string() })),
  }),
);

/**
 * The files of a repository's latest commit.
 *
 * @throws ApiError 404 for an unknown repository, 500 if the hub cannot be reached
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
      url: fileUrl(path, folder).href,
      ...(lfs && { sha256: lfs.oid }),
    }));
  return { sha, files };
}

/** @throws ApiError 404 for an unknown repository, 500 if the hub cannot be reached */
export async function latestCommit(
  hub: string,
  repository: string,
  signal: AbortSignal,
): Promise<string> {
  return (await latestInfo(hub, repository, signal)).sha;
}

/**
 * The licence that a repository's authors name, e.g. `apache-2.0`; undefined: none.
 *
 * @throws ApiError as latestCommit
 */
export async function hubLicense(
  hub: string,
  repository: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  return licenseOf((await latestInfo(hub, repository, signal)).tags);
}

/** @param tags - of a repository, as the hub lists them */
export function licenseOf(tags: readonly string[]): string | undefined {
  return tags.find((tag) => tag.startsWith(LICENSE))?.slice(LICENSE.length);
}

function latestInfo(hub: string, repository: string, signal: AbortSignal) {
  const url = new URL(`${apiPath(repository)}/revision/main`, hub);
  return fetchAs(infoSchema, url, repository, signal);
}

/** The folder of a repository's files at one commit; ends in "/". */
export function hubFolder(hub: string, repository: string, commit: string): URL {
  return new URL(`${pathOf(repository)}/resolve/${commit}/`, hub);
}

/** `mlc-ai` of `mlc-ai/Llama-3.2-1B-Instruct-q4f16_1-MLC`. */
export function ownerOf(repository: string): string {
  return repository.split('/')[0] ?? '';
}

/** The hub's API paths have `models/` or `datasets/` in front. Here, the names of datasets already begin with it. */
export function apiPath(repository: string): string {
  const path = pathOf(repository);
  return path.startsWith('datasets/') ? `api/${path}` : `api/models/${path}`;
}

function pathOf(repository: string): string {
  return repository.split('/').map(encodeURIComponent).join('/');
}

/**
 * Fetches JSON from the hub.
 *
 * @throws ApiError as hubFetch, and 500 if the answer does not match the schema
 */
export async function fetchAs<S extends v.GenericSchema>(
  schema: S,
  url: URL,
  repository: string,
  signal: AbortSignal,
): Promise<v.InferOutput<S>> {
  const response = await hubFetch(url, repository, { signal });
  const result = v.safeParse(schema, await response.json().catch(() => undefined));
  if (result.success) return result.output;
  signal.throwIfAborted();
  throw serverError('engine_error', `${url.href} did not answer as the model hub does.`);
}

/**
 * @param repository - the requested one, for the error
 * @throws ApiError 404 for an unknown repository, 500 if the hub cannot be reached
 */
export async function hubFetch(
  url: URL,
  repository: string,
  init: RequestInit & { signal: AbortSignal },
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch {
    init.signal.throwIfAborted();
    throw serverError('engine_error', `The hub cannot be reached at ${url.origin}.`);
  }
  if (response.ok) return response;
  // The hub answers 401 for a repository that does not exist.
  if ([401, 403, 404].includes(response.status)) {
    throw modelNotFound(repository, `The hub answered ${response.status} for ${url.href}.`);
  }
  throw serverError('engine_error', `The hub answered ${response.status} for ${url.href}.`);
}
