import type { HubFiles, Installation, OnnxSource } from '../../core/stores/catalog-entry.ts';
import { serverError } from '../../core/protocol/errors.ts';
import { hubFiles, type Hub } from '../weights/hub.ts';

/**
 * The files of ONNX graphs on the hub, pinned to the current commits of their repositories.
 *
 * @throws ApiError 404 for an unknown repository, 500 if the hub cannot be reached or lacks a file
 */
export async function onnxInstallation(
  { hub }: Hub,
  { repository, files }: OnnxSource,
  signal: AbortSignal,
): Promise<Installation> {
  const parts = await Promise.all(files.map((part) => installationPart(hub, part, signal)));
  const all = parts.flatMap((part) => part.files);
  const graph = all.find(({ path }) => path.endsWith('.onnx'));
  if (!graph) throw incomplete(repository, 'ONNX graph');
  const revision = parts.map(({ sha }) => sha).join('-');
  return { revision, modelLibrary: graph.path, files: all };
}

async function installationPart(
  hub: string,
  { repository, paths, folder = '' }: HubFiles,
  signal: AbortSignal,
): Promise<{ sha: string; files: Installation['files'] }> {
  const isNeeded = (path: string) => paths.some((wanted) => matches(path, wanted));
  const { sha, files } = await hubFiles(hub, repository, isNeeded, signal);
  const missing = paths.find((wanted) => !files.some(({ path }) => matches(path, wanted)));
  // Fail before downloading.
  if (missing !== undefined) throw incomplete(repository, missing);
  return { sha, files: files.map((file) => ({ ...file, path: folder + file.path })) };
}

function matches(path: string, wanted: string): boolean {
  return wanted.endsWith('*') ? path.startsWith(wanted.slice(0, -1)) : path === wanted;
}

function incomplete(repository: string, missing: string) {
  return serverError('engine_error', `${repository} on the hub has no ${missing}.`);
}
