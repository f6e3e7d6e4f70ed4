import { serverError } from '../../core/errors/errors.ts';
import type { HubFiles, Installation, OnnxSource } from '../../core/catalog/variant.ts';
import type { EngineInstaller } from '../download/installer/engine-installer.ts';
import { hubFiles } from '../download/hub/hub.ts';
import { onnxFinder } from './hub-finder.ts';

/**
 * Installs ONNX graphs from the hub. Their files are pinned to the current commits of their repositories.
 *
 * @param hub - its URL, "/" at its end
 */
export function onnxInstaller(hub: string): EngineInstaller<OnnxSource> {
  return {
    finder: onnxFinder(hub),
    plan: async ({ files }, signal) => {
      const parts = await Promise.all(files.map((part) => installationPart(hub, part, signal)));
      const revision = parts.map(({ sha }) => sha).join('-');
      return { revision, files: parts.flatMap((part) => part.files) };
    },
  };
}

async function installationPart(
  hub: string,
  { repository, paths, folder = '' }: HubFiles,
  signal: AbortSignal,
): Promise<{ sha: string; files: Installation['files'] }> {
  const isNeeded = (path: string) => paths.some((wanted) => matches(path, wanted));
  const { sha, files } = await hubFiles(hub, repository, isNeeded, signal);
  const missing = paths.find((wanted) => !files.some(({ path }) => matches(path, wanted)));
  // Fails before the download, not when the model is loaded.
  if (missing !== undefined) throw incomplete(repository, missing);
  return { sha, files: files.map((file) => ({ ...file, path: folder + file.path })) };
}

function matches(path: string, wanted: string): boolean {
  return wanted.endsWith('*') ? path.startsWith(wanted.slice(0, -1)) : path === wanted;
}

function incomplete(repository: string, missing: string) {
  return serverError('engine_error', `${repository} on the hub has no ${missing}.`);
}
