import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as v from 'valibot';
import {
  candidatesNamed,
  ggufCandidates,
  isGgufPart,
} from '../../../core/files/gguf/gguf-candidates.ts';
import { PackError } from '../pack-error.ts';

const HUB = 'https://huggingface.co/';

const infoSchema = v.object({
  sha: v.string(),
  cardData: v.optional(v.object({ license: v.optional(v.unknown()) })),
});

const treeSchema = v.array(
  v.object({
    path: v.string(),
    size: v.optional(v.number(), 0),
    lfs: v.optional(v.object({ oid: v.string() })),
  }),
);

type HubFile = v.InferOutput<typeof treeSchema>[number];

/** A GGUF model that was downloaded from the hub. */
export interface DownloadedModel {
  /** Path of its file, or of its first part. */
  path: string;
  /** The licence that the repository states. Few files state one. */
  license: string | undefined;
}

/**
 * Downloads a GGUF model from the hub into the cache, and checks it. Files that the cache has are not fetched
 * again. `HF_ENDPOINT` names another hub, as for the hub's own tools.
 *
 * @throws PackError if there is no such model, or it cannot be downloaded
 */
export async function downloadFromHub(
  { repository, file }: HubModel,
  cache: string,
  hub = process.env['HF_ENDPOINT'] || HUB,
): Promise<DownloadedModel> {
  const api = new URL(`api/models/${repository}/`, hub.replace(/\/?$/, '/'));
  const { sha, cardData } = v.parse(infoSchema, await json(new URL('revision/main', api)));
  const tree = new URL(`tree/${sha}?recursive=true`, api);
  const parts = choose(v.parse(treeSchema, await json(tree)), repository, file);
  const folder = join(cache, 'hub', repository, sha);
  const source = new URL(`${repository}/resolve/${sha}/`, hub.replace(/\/?$/, '/'));
  for (const part of parts)
    await download(new URL(part.path, source), join(folder, part.path), part);
  const license = typeof cardData?.license === 'string' ? cardData.license : undefined;
  return { path: join(folder, parts[0]?.path ?? ''), license };
}

/**
 * The files of the model with the wanted file or quantisation, and its projector. If none is wanted, of the model that
 * pages would propose.
 */
function choose(tree: HubFile[], repository: string, wanted: string | undefined): HubFile[] {
  const all = ggufCandidates(tree.filter(({ path }) => isGgufPart(path)));
  const [best] = wanted === undefined ? all : candidatesNamed(all, wanted);
  if (best === undefined) {
    throw new PackError(
      `${repository} has no GGUF file${wanted ? ` "${wanted}"` : ''} on the hub.`,
    );
  }
  if (best.missing !== undefined) {
    throw new PackError(`${repository} lacks a part of the model: ${best.missing}.`);
  }
  return best.projector ? [...best.parts, best.projector] : best.parts;
}

async function download(url: URL, path: string, { size, lfs }: HubFile): Promise<void> {
  if (existsSync(path) && statSync(path).size === size) return;
  process.stderr.write(
    `slashv1: Downloading ${url.href} (${(size / 1e6).toFixed(0)} MB, only once) …\n`,
  );
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  const hash = createHash('sha256');
  try {
    const { body } = await get(url);
    const bytes = Readable.from(body ?? []).on('data', (chunk: Uint8Array) => hash.update(chunk));
    await pipeline(bytes, createWriteStream(temporary));
    if (lfs && hash.digest('hex') !== lfs.oid) {
      throw new PackError(`The download of ${url.href} was damaged. Try again.`);
    }
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

async function json(url: URL): Promise<unknown> {
  return (await get(url)).json();
}

async function get(url: URL): Promise<Response> {
  const response = await fetch(url).catch((error: unknown) => {
    throw new PackError(`The hub cannot be reached at ${url.origin}.`, { cause: error });
  });
  if (response.ok) return response;
  const hint = [401, 403, 404].includes(response.status)
    ? ' Is the name right, and is it public?'
    : '';
  throw new PackError(`The hub answered ${response.status} for ${url.href}.${hint}`);
}

/** A model on the hub as people write it: `owner/name`, `owner/name:Q4_K_M` or `owner/name:file.gguf`. */
export interface HubModel {
  /** `owner/name`. */
  repository: string;
  /** Path of a file, or a quantisation. */
  file?: string;
}

/** Undefined if the text has another form. */
export function hubModel(text: string): HubModel | undefined {
  const [, repository, file] = /^([\w.-]+\/[\w.-]+)(?::(.+))?$/.exec(text) ?? [];
  if (repository === undefined || /^\.|\.gguf$/i.test(repository)) return undefined;
  return { repository, ...(file !== undefined && { file }) };
}
