import { ADDRESSABLE_BYTES } from '../../../core/files/gguf/memory-of-context.ts';
import type { ByteRanges } from '../../../core/files/gguf/gguf-header.ts';
import { invalidRequest } from '../../../core/errors/errors.ts';
import type { Device } from '../../../core/fit/device-fit.ts';
import { cpuReason } from '../../../core/fit/gguf-device.ts';
import { totalBytes } from '../../../core/catalog/variant.ts';
import type {
  Found,
  HubFinder,
  WantedRepository,
} from '../../download/installer/engine-installer.ts';
import { hubFiles, ownerOf } from '../../download/hub/hub.ts';
import { withRemoteFiles } from '../../download/hub/remote-file.ts';
import { ggufCandidates, isGgufPart } from '../../../core/files/gguf/gguf-candidates.ts';
import { named, proposed, type Candidate } from './gguf-choice.ts';
import { embedderExtras, makersSampling } from './gguf-extras.ts';
import { ggufEntry, inspectGguf, leastMemory, type GgufModel } from './gguf-model.ts';

export interface GgufPlaces {
  /** URL of the hub, "/" at its end. */
  hub: string;
  device: ReadDevice;
}

/** Reads what this device is. */
export type ReadDevice = () => Promise<Device>;

/** Finds GGUF models on the hub. */
export function ggufFinder(places: GgufPlaces): HubFinder {
  return {
    marker: '.gguf file',
    find: (wanted, _known, signal) => findGguf(wanted, places, signal),
  };
}

async function findGguf(
  { repository, file }: WantedRepository,
  { hub, device: read }: GgufPlaces,
  signal: AbortSignal,
): Promise<Found | undefined> {
  const { files } = await hubFiles(hub, repository, isGgufPart, signal);
  const candidates = ggufCandidates(files);
  if (file !== undefined) {
    if (candidates.length === 0) throw noGguf(repository);
    const chosen = named(repository, candidates, file);
    const model = await inspect(repository, chosen, await read(), signal);
    return found(hub, repository, chosen, model, signal);
  }
  if (candidates.length === 0) return undefined;
  const device = await read();
  const memory = Math.min(
    device.memoryBudget ?? ADDRESSABLE_BYTES,
    cpuReason(device) ? ADDRESSABLE_BYTES : Infinity,
  );
  let last: (() => Promise<Found>) | undefined;
  for (const candidate of proposed(repository, candidates, memory)) {
    const model = await inspect(repository, candidate, device, signal);
    last = () => found(hub, repository, candidate, model, signal);
    if (leastMemory(model) <= memory) break;
  }
  return last?.();
}

/** Inspects a model on the hub. Only the headers of its files are read. */
function inspect(
  repository: string,
  { parts, projector }: Candidate,
  device: Device,
  signal: AbortSignal,
): Promise<GgufModel> {
  const all = projector ? [...parts, projector] : parts;
  const remote = all.map(({ path, url }) => ({ url, name: `${repository}/${path}` }));
  return withRemoteFiles(remote, signal, (opened) => {
    // The hub's list knows the sizes, which its servers may hide.
    const sized = opened.map((file, index) => sizedAs(file, all[index]?.size));
    return inspectGguf(sized.slice(0, parts.length), device, sized[parts.length]);
  });
}

function sizedAs(file: ByteRanges, size = file.size): ByteRanges {
  return { name: file.name, size, read: (offset, length) => file.read(offset, length) };
}

/** The id of a repository's first model is the repository's name. For others, the file's path is appended. */
async function found(
  hub: string,
  repository: string,
  candidate: Candidate,
  model: GgufModel,
  signal: AbortSignal,
): Promise<Found> {
  const { path, parts } = candidate;
  const facts = { id: repository, ownedBy: ownerOf(repository), created: 0 };
  const paths = parts.map((part) => part.path);
  const projector = model.sees ? candidate.projector : undefined;
  const files = projector ? [...parts, projector] : parts;
  const source = { kind: 'hub', repository, paths: files.map((file) => file.path) } as const;
  const isSilent = model.does.task === 'chat' && !model.saysSampling;
  const sampling = isSilent ? await makersSampling(hub, repository, signal) : undefined;
  const variant = {
    source,
    parts: paths,
    bytes: totalBytes(files),
    ...(projector && { projector: projector.path }),
    ...(sampling && { sampling }),
  };
  const isEmbedder = model.does.task === 'embedding';
  const extras = isEmbedder ? await embedderExtras(hub, repository, signal) : {};
  return {
    entry: ggufEntry(model, facts, variant, extras),
    otherId: `${repository}:${path}`,
  };
}

function noGguf(repository: string) {
  return invalidRequest(`${repository} has no GGUF file.`, 'model');
}
