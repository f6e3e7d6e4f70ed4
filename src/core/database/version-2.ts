import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { chooseVariant } from '../fit/choose-variant.ts';
import { manifestFromVersion1, type ManifestOfVersion1 } from '../catalog/pack-manifest.ts';
import { packEntry } from '../catalog/pack-variant.ts';
import type { Speech } from '../catalog/speech.ts';
import {
  variantId,
  type DownloadPlan,
  type HubFiles,
  type Installation,
  type PackSource,
  type Variant,
} from '../catalog/variant.ts';

/** The files of a model as version 2 of the database stores them. */
export interface InstallationOfVersion2 extends Installation {
  /** Path of WebLLM's model library among the files, or of the ONNX graph. */
  modelLibrary: string;
}

interface PackSourceOfVersion2 extends Omit<PackSource, 'manifest'> {
  manifest: ManifestOfVersion1;
}

interface MlcSourceOfVersion2 {
  kind: 'hub';
  repository: string;
  /** Path below the folder of WebLLM's prebuilt libraries. */
  modelLibrary: string;
  needsF16: boolean;
}

interface OnnxSourceOfVersion2 {
  kind: 'onnx';
  repository: string;
  files: HubFiles[];
}

/** A catalog entry as version 2 of the database stores it: every model has one source. */
export interface EntryOfVersion2 {
  id: string;
  source: PackSourceOfVersion2 | MlcSourceOfVersion2 | OnnxSourceOfVersion2;
  added?: boolean;
  installed?: InstallationOfVersion2;
  ownedBy: string;
  created: number;
  quantization: string;
  contextLength: number;
  features?: string[];
  /** Present if the model speaks, and only then. */
  speech?: Speech;
  overrides?: Record<string, unknown>;
  bytes?: number;
  gpuBytes?: number;
  bufferBytes?: number;
  license?: string;
}

/** The same entry with a task and one variant; nothing that it says is lost. */
export function entryFromVersion2(old: EntryOfVersion2): CatalogEntry {
  const { id, ownedBy, created, contextLength, license, features, added, speech } = old;
  const facts = {
    id,
    ownedBy,
    created,
    contextLength,
    variants: [variantFromVersion2(old)],
    ...(license !== undefined && { license }),
    ...(features && { features }),
    ...(added && { added }),
  };
  return speech ? { ...facts, task: 'speech', speech } : { ...facts, task: 'chat' };
}

/** What was to be downloaded of the entry's only variant. */
export function planFromVersion2(
  entry: CatalogEntry,
  { revision, files }: Installation,
): DownloadPlan {
  return { variant: chooseVariant(entry, {}).id, revision, files };
}

function variantFromVersion2(old: EntryOfVersion2): Variant {
  const { bytes, installed } = old;
  return {
    ...sourceVariant(old),
    ...(bytes !== undefined && { bytes }),
    ...(installed && { installed: { revision: installed.revision, files: installed.files } }),
  };
}

function sourceVariant(old: EntryOfVersion2): Variant {
  const { source, quantization, overrides, gpuBytes, bufferBytes, installed } = old;
  if (source.kind === 'pack') {
    return chooseVariant(packEntry(manifestFromVersion1(source.manifest), source), {});
  }
  const engine = source.kind === 'hub' ? 'webllm' : 'onnx';
  const needs = {
    ...(source.kind === 'hub' && source.needsF16 && { shaderF16: true }),
    ...(bufferBytes && { bufferBytes }),
    ...(gpuBytes && { memoryBytes: gpuBytes }),
  };
  const shared = { id: variantId(engine, quantization), quantization, needs };
  const { repository } = source;
  if (source.kind === 'onnx') {
    const { files } = source;
    const graph = installed?.modelLibrary ?? firstGraph(files);
    return { ...shared, engine: 'onnx', source: { kind: 'hub', repository, files }, graph };
  }
  return {
    ...shared,
    engine: 'webllm',
    modelLibrary: installed?.modelLibrary ?? 'model.wasm',
    source: { kind: 'hub', repository, library: source.modelLibrary },
    ...(overrides && { overrides }),
  };
}

function firstGraph(files: HubFiles[]): string {
  const paths = files.flatMap((part) => part.paths);
  return paths.find((path) => path.includes('.onnx'))?.replace('*', '') ?? '';
}
