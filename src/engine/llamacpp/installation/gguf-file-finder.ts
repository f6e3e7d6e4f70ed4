import { isProjector } from '../../../core/files/gguf/gguf-projector.ts';
import { ggufStem, splitParts } from '../../../core/files/gguf/gguf-split.ts';
import { invalidRequest } from '../../../core/errors/errors.ts';
import { sha256Hex } from '../../../core/text/sha256.ts';
import { totalBytes } from '../../../core/catalog/variant.ts';
import type { FileFinder, Found } from '../../download/installer/engine-installer.ts';
import { withRemoteFiles } from '../../download/hub/remote-file.ts';
import { localGgufSource, localRanges } from './gguf-local.ts';
import type { ReadDevice } from './gguf-finder.ts';
import { ggufEntry, inspectGguf, type GgufModel } from './gguf-model.ts';
import { urlFileName } from './gguf-url.ts';

/** Finds models in GGUF files at any URL or on this device. */
export function ggufFileFinder(device: ReadDevice): FileFinder {
  return {
    extension: '.gguf',
    atUrl: (url, signal) => findAtUrl(url, device, signal),
    given: (files) => findGiven(files, device),
  };
}

async function findAtUrl(url: URL, device: ReadDevice, signal: AbortSignal): Promise<Found> {
  const urls = splitParts(url.pathname).map((path) => {
    const part = new URL(url);
    part.pathname = path;
    return part.href;
  });
  const remote = urls.map((each) => ({ url: each, name: each }));
  return withRemoteFiles(remote, signal, async (files) => {
    const model = await inspectGguf(files, await device());
    const bytes = totalBytes(files);
    const parts = urls.map(urlFileName);
    return foundFile(model, parts[0] ?? '', await sha256Hex(urls.join()), {
      facts: { ownedBy: url.host, created: 0 },
      variant: {
        source: { kind: 'url', urls },
        parts,
        ...(Number.isFinite(bytes) && { bytes }),
      },
    });
  });
}

async function findGiven(files: readonly File[], device: ReadDevice): Promise<Found> {
  const projector = files.find(({ name }) => isProjector(name));
  const ordered = inOrder(files.filter((file) => file !== projector));
  const eyes = projector && localRanges(projector);
  const model = await inspectGguf(ordered.map(localRanges), await device(), eyes);
  const source = await localGgufSource(projector && model.sees ? [...ordered, projector] : ordered);
  const parts = ordered.map(({ name }) => name);
  const newest = Math.max(...ordered.map(({ lastModified }) => lastModified));
  return foundFile(model, source.name, source.revision, {
    facts: { ownedBy: 'local', created: Math.floor(newest / 1000) },
    variant: {
      source,
      parts,
      bytes: totalBytes(source.files),
      ...(projector && model.sees && { projector: projector.name }),
    },
  });
}

interface FileEntry {
  facts: Omit<Parameters<typeof ggufEntry>[1], 'id'>;
  variant: Parameters<typeof ggufEntry>[2];
}

/** The model's id is its file's name. If another model has that id, a part of a hash is appended. */
function foundFile(
  model: GgufModel,
  name: string,
  hash: string,
  { facts, variant }: FileEntry,
): Found {
  const id = ggufStem(name);
  const entry = ggufEntry(model, { ...facts, id }, variant);
  return { entry, otherId: `${id}-${hash.slice(0, 8)}` };
}

/** All parts of one model. @throws ApiError 400 if one is missing, or if a file belongs to another model */
function inOrder(files: readonly File[]): File[] {
  const names = splitParts(files[0]?.name ?? '');
  const ordered = names.map((name) => {
    const file = files.find((each) => each.name === name);
    if (file) return file;
    throw invalidRequest(
      `A part of the model is missing: ${name}. Add all parts together.`,
      'model',
    );
  });
  const other = files.find((file) => !ordered.includes(file));
  if (!other) return ordered;
  throw invalidRequest(`${other.name} is not a part of the same model as ${names[0]}.`, 'model');
}
