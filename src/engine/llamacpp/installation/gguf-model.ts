import { GgufError } from '../../../core/files/gguf/gguf-error.ts';
import {
  readGgufHeader,
  type ByteRanges,
  type GgufHeader,
} from '../../../core/files/gguf/gguf-header.ts';
import type { GgufOnGpu } from '../../../core/catalog/variant.ts';
import { ggufOnGpu } from '../../../core/files/gguf/gguf-on-gpu.ts';
import { ggufMemory } from '../../../core/files/gguf/gguf-memory.ts';
import {
  requireUsableProjector,
  seesImages,
  withProjector,
} from '../../../core/files/gguf/gguf-projector.ts';
import { quantizationOf } from '../../../core/files/gguf/gguf-quantization.ts';
import type { GgufSummary } from '../../../core/files/gguf/gguf-summary.ts';
import { requireSupported, requireWhole } from '../../../core/files/gguf/gguf-support.ts';
import { ggufTask, type GgufTask } from '../../../core/files/gguf/gguf-task.ts';
import {
  ADDRESSABLE_BYTES,
  memoryFor,
  type GgufMemory,
} from '../../../core/files/gguf/memory-of-context.ts';
import { invalidRequest } from '../../../core/errors/errors.ts';
import type { readSentenceExtras } from '../../../core/files/retrieval/sentence-config.ts';
import { VISION, type CatalogEntry } from '../../../core/catalog/catalog-entry.ts';
import { leastContext } from '../../../core/fit/context-memory.ts';
import type { Device } from '../../../core/fit/device-fit.ts';
import { cpuReason, unfitForGpu } from '../../../core/fit/gguf-device.ts';
import { templateFeatures } from '../../conversation/thinking/template-features.ts';
import { variantId, type LlamaCppVariant } from '../../../core/catalog/variant.ts';
import { chatTemplate, TemplateRefusal } from '../../conversation/prompt/chat-template.ts';
import type { TokenizerFacts } from '../../conversation/prompt/tokenizer-files.ts';
import { ModelFileError } from '../../download/hub/model-file-error.ts';
import { modelFacts } from '../model-facts.ts';

/** A GGUF model of which only the headers have been read. */
export interface GgufModel {
  summary: GgufSummary;
  quantization: string;
  memory: GgufMemory;
  onGpu: GgufOnGpu;
  does: GgufTask;
  /** The features for the catalog entry. */
  features: string[];
  /** Whether its header says how to sample it. */
  saysSampling: boolean;
  /** Whether it has a projector for images. */
  sees: boolean;
}

/**
 * Reads the headers of a model, and refuses a model that cannot run before it is downloaded.
 *
 * @param parts - of a split model all parts, in order
 * @param device - only a GPU runs what a page's memory cannot hold
 * @param projector - undefined: the model has none
 * @throws ApiError 400 that says why
 */
export async function inspectGguf(
  parts: readonly ByteRanges[],
  device: Device,
  projector?: ByteRanges,
): Promise<GgufModel> {
  try {
    const model = await inspect(parts, projector);
    requireAddressable(parts[0]?.name ?? '', model, device);
    return model;
  } catch (error) {
    const isFault = error instanceof GgufError || error instanceof ModelFileError;
    throw isFault ? invalidRequest(error.message, 'model') : error;
  }
}

/** Memory of the model with the shortest context, bytes. */
export function leastMemory({ memory, summary }: GgufModel): number {
  return memoryFor(memory, leastContext(summary.contextLength));
}

/** Facts about an embedder that are only in the files beside its GGUF file. */
export type EmbedderExtras = Awaited<ReturnType<typeof readSentenceExtras>>;

/** A catalog entry with the model as its only variant. */
export function ggufEntry(
  { summary, quantization, memory, onGpu, features, does }: GgufModel,
  facts: Pick<CatalogEntry, 'id' | 'ownedBy' | 'created'>,
  variant: Pick<LlamaCppVariant, 'source' | 'parts' | 'projector' | 'bytes' | 'sampling'>,
  { prompts, dimensions }: EmbedderExtras = {},
): CatalogEntry {
  const { license, contextLength } = summary;
  const id = variantId('llamacpp', quantization);
  const entry = {
    ...facts,
    contextLength,
    features,
    ...(license !== undefined && { license }),
    variants: [
      {
        ...variant,
        id,
        engine: 'llamacpp' as const,
        quantization,
        needs: {},
        memory,
        onGpu,
        ...(prompts && { prompts }),
      },
    ],
  };
  if (does.task !== 'embedding') return { ...entry, task: does.task };
  const embedding = { length: does.length, ...(dimensions && { dimensions }) };
  return { ...entry, task: 'embedding', embedding };
}

async function inspect(
  parts: readonly ByteRanges[],
  projector: ByteRanges | undefined,
): Promise<GgufModel> {
  const headers = [];
  for (const part of parts) headers.push(await readGgufHeader(part));
  const [first, ...others] = headers;
  if (!first) throw new GgufError('There is no file.');
  const summary = requireSupported([first, ...others]);
  headers.forEach((header, index) => requireWhole(header, parts[index]?.size ?? 0));
  const does = ggufTask(first);
  const { tokenizer, sampling } = modelFacts(first);
  const isChat = does.task === 'chat';
  if (isChat) requireUsableTemplate(first.name, tokenizer);
  const eyes = isChat && projector && (await inspectProjector(projector));
  const memory = ggufMemory([first, ...others]);
  const features = isChat ? templateFeatures(tokenizer.chatTemplate) : [];
  return {
    summary,
    does,
    quantization: quantizationOf(first),
    saysSampling: Object.keys(sampling).length > 0,
    sees: Boolean(eyes),
    onGpu: ggufOnGpu([first, ...others]),
    memory: eyes ? withProjector(memory, eyes) : memory,
    features: eyes ? [...features, VISION] : features,
  };
}

/** @returns undefined if it is for sound: the model is used without it */
async function inspectProjector(file: ByteRanges): Promise<GgufHeader | undefined> {
  const header = await readGgufHeader(file);
  if (!seesImages(header)) return undefined;
  requireUsableProjector(header);
  requireWhole(header, file.size);
  return header;
}

function requireAddressable(name: string, model: GgufModel, device: Device): void {
  const needed = leastMemory(model);
  if (needed <= ADDRESSABLE_BYTES) return;
  const onCpu = cpuReason(device) ?? unfitForGpu(model.onGpu, device.bufferBytes);
  if (!onCpu) return;
  throw new GgufError(
    `${name} needs ${gigabytes(needed)} of memory, but llama.cpp can use only ` +
      `${gigabytes(ADDRESSABLE_BYTES)} on the CPU. ${onCpu.message} A smaller quantisation may fit.`,
  );
}

/** Renders a question, because many faults of a template show only then. */
function requireUsableTemplate(name: string, facts: TokenizerFacts): void {
  if (facts.chatTemplate === undefined) return;
  try {
    chatTemplate(facts.chatTemplate, facts)([{ role: 'user', content: 'Hello!' }], {});
  } catch (error) {
    // A template that refuses this conversation works.
    if (error instanceof TemplateRefusal) return;
    if (!(error instanceof ModelFileError)) throw error;
    throw new GgufError(`${name} cannot be used: ${error.fault}.`, { cause: error });
  }
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
