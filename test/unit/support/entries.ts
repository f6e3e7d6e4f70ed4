import type { GgufMemory } from '../../../src/core/files/gguf/memory-of-context.ts';
import type { CatalogEntry, OtherModel } from '../../../src/core/catalog/catalog-entry.ts';
import type { PackFile } from '../../../src/core/catalog/pack-file.ts';
import type { PackManifest } from '../../../src/core/catalog/pack-manifest.ts';
import type { Speech } from '../../../src/core/catalog/speech.ts';
import { packEntry as entryOfPack } from '../../../src/core/catalog/pack-variant.ts';
import {
  variantId,
  type DownloadPlan,
  type Installation,
  type LlamaCppVariant,
  type OnnxVariant,
  type PackContents,
  type PackSource,
  type Variant,
  type WebLlmVariant,
} from '../../../src/core/catalog/variant.ts';

/** A pack with one variant: of a voice if there is `speech`, or else of a chat model for WebLLM. */
interface PackFacts {
  license?: string;
  contextLength?: number;
  features?: string[];
  quantization?: string;
  modelLibrary?: string;
  /** Memory that the variant needs, bytes; 0: unknown. */
  gpuBytes?: number;
  files?: PackFile[];
  speech?: Speech;
}

export function packManifest(id: string, revision = 'r1', facts: PackFacts = {}): PackManifest {
  const { contextLength = 2048, features = [], quantization = 'q4f16_1', files = [] } = facts;
  const { modelLibrary = 'model.wasm', gpuBytes = 1, speech, license = 'mit' } = facts;
  const shared = { quantization, revision, files };
  const model = {
    format: 'slashv1-pack' as const,
    version: 1 as const,
    id,
    ownedBy: 'o',
    created: 1,
    license,
    contextLength,
    features,
  };
  if (speech) {
    const onnx = { ...shared, engine: 'onnx' as const, needs: {}, graph: modelLibrary };
    return { ...model, task: 'speech', speech, variants: [onnx] };
  }
  const needs = {
    ...(quantization.includes('f16') && { shaderF16: true }),
    ...(gpuBytes > 0 && { memoryBytes: gpuBytes }),
  };
  const webllm = { ...shared, engine: 'webllm' as const, needs, modelLibrary };
  return { ...model, task: 'chat', variants: [webllm] };
}

interface PackOptions extends PackFacts, Partial<Pick<PackSource, 'url' | 'position'>> {
  installed?: Installation;
  /** Size in bytes, if it differs from that of the files. */
  bytes?: number;
  added?: true;
}

/** A catalog entry of a pack of this site. */
export function packEntry(id: string, revision = 'r1', options: PackOptions = {}): CatalogEntry {
  const { installed, bytes, added, url = 'http://site/packs/p/', position = 0, ...rest } = options;
  const entry = entryOfPack(packManifest(id, revision, rest), { url, position });
  const learnt = { ...(installed && { installed }), ...(bytes !== undefined && { bytes }) };
  const variants = entry.variants.map((variant) => ({ ...variant, ...learnt }));
  return { ...entry, variants, ...(added && { added }) };
}

type HubOptions = Partial<Omit<WebLlmVariant, 'id' | 'engine'>> &
  Partial<Pick<OtherModel, 'contextLength' | 'features' | 'added' | 'license'>>;

/** A catalog entry of a model on the hub, for WebLLM. */
export function hubEntry(id: string, options: HubOptions = {}): CatalogEntry {
  const { contextLength = 4096, features, added, license, ...rest } = options;
  return {
    id,
    task: 'chat',
    ownedBy: 'o',
    created: 0,
    contextLength,
    ...(features && { features }),
    ...(added && { added }),
    ...(license !== undefined && { license }),
    variants: [hubVariant(id, rest)],
  };
}

export function hubVariant(
  repository: string,
  rest: Partial<Omit<WebLlmVariant, 'engine'>> = {},
): WebLlmVariant {
  return {
    id: 'webllm-q4f16_1',
    engine: 'webllm',
    quantization: 'q4f16_1',
    needs: {},
    source: { kind: 'hub', repository, library: 'lib.wasm' },
    modelLibrary: 'model.wasm',
    ...rest,
  };
}

/** A GGUF file on the hub, for llama.cpp. */
export function ggufVariant(
  repository: string,
  rest: Partial<Omit<LlamaCppVariant, 'engine'>> = {},
): LlamaCppVariant {
  return {
    id: 'llamacpp-Q4_K_M',
    engine: 'llamacpp',
    quantization: 'Q4_K_M',
    needs: {},
    source: { kind: 'hub', repository, paths: ['a.gguf'] },
    parts: ['a.gguf'],
    ...rest,
  };
}

/** ONNX graphs on the hub. */
export function onnxVariant(
  repository: string,
  quantization: string,
  rest: Partial<Omit<OnnxVariant, 'engine'>> = {},
): OnnxVariant {
  return {
    id: variantId('onnx', quantization),
    engine: 'onnx',
    quantization,
    needs: {},
    source: { kind: 'hub', repository, files: [] },
    graph: 'onnx/model.onnx',
    ...rest,
  };
}

/** Room for 1,024 tokens takes 1,124 kB. */
export const GGUF_MEMORY: GgufMemory = { weightBytes: 90e3, tokenBytes: 1e3, bufferBytes: 10e3 };

export function installation(revision: string): Installation {
  return { revision, files: [] };
}

export function plan(revision: string, variant = 'webllm-q4f16_1'): DownloadPlan {
  return { variant, revision, files: [] };
}

/** The variant of a model that has only one. */
export function variantOf(entry: CatalogEntry | undefined): Variant {
  const [variant, ...others] = entry?.variants ?? [];
  if (!variant || others.length > 0) throw new Error('The model has not one variant.');
  return variant;
}

export function manifestOf(entry: CatalogEntry | undefined): PackContents {
  const { source } = variantOf(entry);
  if (source.kind !== 'pack') throw new Error('The model is not a pack.');
  return source.manifest;
}
