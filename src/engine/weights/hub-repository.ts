import * as v from 'valibot';
import type { ReadConfig } from '../../core/model-config.ts';
import { totalBytes } from '../../core/stores/variant.ts';
import { fetchAs, hubFiles, hubFolder } from './hub.ts';

/** The files of a repository at its latest commit, and the JSON in them. */
export interface Repository {
  name: string;
  paths: string[];
  read: ReadConfig;
  bytes: (paths: readonly string[]) => number;
}

/** `base_model:BAAI/bge-small-en-v1.5`; other such tags have a relation between the two. */
const infoSchema = v.object({ tags: v.optional(v.array(v.string()), []) });

/** @throws ApiError 404 for an unknown repository, 500 if the hub cannot be reached */
export async function openRepository(
  hub: string,
  name: string,
  signal: AbortSignal,
): Promise<Repository> {
  const { sha, files } = await hubFiles(hub, name, () => true, signal);
  const folder = hubFolder(hub, name, sha);
  const paths = files.map(({ path }) => path);
  return {
    ...{ name, paths },
    read: async (path) =>
      paths.includes(path) ? fetchAs(v.unknown(), new URL(path, folder), name, signal) : undefined,
    bytes: (wanted) => totalBytes(files.filter(({ path }) => wanted.includes(path))),
  };
}

/** The repository of the model that another one says it was made of; undefined: it does not say. */
export async function baseRepository(
  hub: string,
  repository: string,
  signal: AbortSignal,
): Promise<Repository | undefined> {
  const url = new URL(`api/models/${repository}`, hub);
  const { tags } = await fetchAs(infoSchema, url, repository, signal);
  const [, name] = tags.map((tag) => /^base_model:([^:]+\/[^:]+)$/.exec(tag)).find(Boolean) ?? [];
  return name === undefined ? undefined : openRepository(hub, name, signal);
}
