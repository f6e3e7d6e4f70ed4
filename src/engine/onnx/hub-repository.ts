import * as v from 'valibot';
import { MODEL_FILES, type ReadConfig } from '../../core/model-config.ts';
import type { OnnxGraphFile } from '../../core/graph-file.ts';
import {
  totalBytes,
  variantId,
  type HubFiles,
  type OnnxVariant,
} from '../../core/stores/variant.ts';
import { fetchAs, hubFiles, hubFolder, ownerOf } from '../weights/hub.ts';

/** The files of a repository at its latest commit, and the JSON in them. */
export interface Repository {
  name: string;
  paths: string[];
  read: ReadConfig;
  bytes: (paths: readonly string[]) => number;
}

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

/** Those of the files that the repository has. */
export function filesOf({ name, paths }: Repository, wanted: readonly string[]): HubFiles {
  return { repository: name, paths: wanted.filter((path) => paths.includes(path)) };
}

/**
 * What the catalog knows of every model with ONNX graphs.
 *
 * @param furtherFiles - of the repository, beside the graphs and those that every model has
 * @param elsewhere - files of other repositories
 */
export function onnxEntry(
  own: Repository,
  { path, quantization, files: graphs }: OnnxGraphFile,
  contextLength: number,
  furtherFiles: readonly string[] = [],
  elsewhere: HubFiles[] = [],
) {
  const { name } = own;
  const files = [filesOf(own, [...MODEL_FILES, ...furtherFiles, ...graphs]), ...elsewhere];
  const variant: OnnxVariant = {
    ...{ id: variantId('onnx', quantization), engine: 'onnx', quantization, needs: {} },
    ...{ bytes: own.bytes(graphs), source: { kind: 'hub', repository: name, files }, graph: path },
  };
  return {
    ...{ id: name, ownedBy: ownerOf(name), created: 0, contextLength, features: [] },
    variants: [variant],
  };
}
