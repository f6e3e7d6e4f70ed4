import * as v from 'valibot';
import type { ReadConfig } from '../../../core/files/model-config.ts';
import { fileUrl } from '../../../core/catalog/file-url.ts';
import { totalBytes } from '../../../core/catalog/variant.ts';
import { apiPath, fetchAs, hubFetch, hubFiles, hubFolder } from './hub.ts';

/** The files of a repository at its latest commit, and the JSON in them. */
export interface Repository {
  name: string;
  paths: string[];
  read: ReadConfig;
  /** Reads the bytes of a file from `start` on; undefined if the server sends only whole files. */
  readFrom: (path: string, start: number) => Promise<Uint8Array | undefined>;
  bytes: (paths: readonly string[]) => number;
}

/** The tag `base_model:BAAI/bge-small-en-v1.5` names the base model. Similar tags also name the relation to it. */
const infoSchema = v.object({
  tags: v.optional(v.array(v.string()), []),
  /** The metadata at the top of the repository's README. */
  cardData: v.optional(
    v.looseObject({ language: v.optional(v.union([v.string(), v.array(v.string())])) }),
  ),
});

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
    name,
    paths,
    read: async (path) =>
      paths.includes(path) ? fetchAs(v.unknown(), fileUrl(path, folder), name, signal) : undefined,
    readFrom: async (path, start) => {
      const headers = start > 0 ? { range: `bytes=${start}-` } : {};
      // The browser's cache would store a part of the file.
      const init = { signal, headers, cache: 'no-store' } as const;
      const response = await hubFetch(fileUrl(path, folder), name, init);
      if (start === 0 || response.status === 206) {
        return new Uint8Array(await response.arrayBuffer());
      }
      await response.body?.cancel();
      return undefined;
    },
    bytes: (wanted) => totalBytes(files.filter(({ path }) => wanted.includes(path))),
  };
}

/** The repository of a model's base model; undefined if the model does not name one. */
export async function baseRepository(
  hub: string,
  repository: string,
  signal: AbortSignal,
): Promise<Repository | undefined> {
  const name = baseName(await readInfo(hub, repository, signal));
  return name === undefined ? undefined : openRepository(hub, name, signal);
}

/**
 * The languages that a model's repository names, or else those that its base model names.
 *
 * @returns codes; empty if neither names any
 */
export async function repositoryLanguages(
  hub: string,
  repository: string,
  signal: AbortSignal,
): Promise<string[]> {
  const info = await readInfo(hub, repository, signal);
  const own = [info.cardData?.language ?? []].flat();
  const base = baseName(info);
  if (own.length > 0 || base === undefined) return own;
  const { cardData } = await readInfo(hub, base, signal);
  return [cardData?.language ?? []].flat();
}

function readInfo(hub: string, repository: string, signal: AbortSignal) {
  return fetchAs(infoSchema, new URL(apiPath(repository), hub), repository, signal);
}

function baseName({ tags }: v.InferOutput<typeof infoSchema>): string | undefined {
  const found = tags.map((tag) => /^base_model:([^:]+\/[^:]+)$/.exec(tag)).find(Boolean);
  return found?.[1];
}
