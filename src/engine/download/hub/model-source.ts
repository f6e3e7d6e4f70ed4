import { invalidRequest } from '../../../core/errors/errors.ts';
import type { WantedRepository } from '../installer/engine-installer.ts';

/** A text by which the user adds a model, parsed. */
export type ModelSource =
  | ({ kind: 'hub' } & WantedRepository)
  /** A file, or the first part of a split file. */
  | { kind: 'file'; url: URL }
  /** The folder of a pack. */
  | { kind: 'pack'; url: URL };

const HUB_PAGE = /^(?:https?:\/\/)?(?:huggingface\.co|hf\.co)\/(.+)$/;
const REPOSITORY = /^([\w.-]+\/[\w.-]+)(?::(.+))?$/;
/** The hub's page of a file in its latest commit, and the file itself. */
const HUB_FILE = /^([\w.-]+\/[\w.-]+)\/(?:blob|resolve)\/main\/([^?#]+)/;

/**
 * Reads `owner/name`, `owner/name:file`, the address of one of these on the Hugging Face Hub, the URL of
 * a file, or the URL of a pack's folder or manifest.
 *
 * @param extensions - of files that an engine can run, e.g. `.gguf`
 * @throws ApiError 400 for any other text
 */
export function readModelSource(source: string, extensions: readonly string[]): ModelSource {
  const [, page] = HUB_PAGE.exec(source) ?? [];
  const found = page === undefined ? undefined : (hubFile(page) ?? hubRepository(withoutEnd(page)));
  if (found) return found;
  if (/^https?:\/\//.test(source)) return fromUrl(source, extensions);
  const repository = hubRepository(source);
  if (repository) return repository;
  throw invalidRequest(
    `'${source}' is not "owner/name" of a model on the hub, nor the URL of a ` +
      `${[...extensions, 'model pack'].join(' file or a ')}.`,
    'model',
  );
}

function hubRepository(text: string): ModelSource | undefined {
  const [, repository, file] = REPOSITORY.exec(text) ?? [];
  if (repository === undefined) return undefined;
  return { kind: 'hub', repository, ...(file !== undefined && { file }) };
}

function hubFile(page: string): ModelSource | undefined {
  const [, repository, path] = HUB_FILE.exec(page) ?? [];
  if (repository === undefined || path === undefined) return undefined;
  return { kind: 'hub', repository, file: decodeURIComponent(path) };
}

/** A page's address may end in `/`, `/tree/main`, a query or a fragment. */
function withoutEnd(page: string): string {
  return page.replace(/[?#].*$/, '').replace(/(\/tree\/main)?\/*$/, '');
}

function fromUrl(source: string, extensions: readonly string[]): ModelSource {
  if (!URL.canParse(source)) throw invalidRequest(`'${source}' is not a valid URL.`, 'model');
  const url = new URL(source);
  const path = url.pathname.toLowerCase();
  if (extensions.some((extension) => path.endsWith(extension))) return { kind: 'file', url };
  return { kind: 'pack', url: new URL(source.replace(/(\/manifest\.json|\/*)$/, '/')) };
}
