import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { manifestSchema } from '../src/core/catalog/pack-manifest.ts';
import type { TemplateMessage } from '../src/core/operations/jobs/jobs.ts';
import { chatTemplate } from '../src/engine/conversation/prompt/chat-template.ts';
import { tokenizerFacts } from '../src/engine/conversation/prompt/tokenizer-files.ts';
import type { GgufMemory } from '../src/core/files/gguf/memory-of-context.ts';
import type { GgufModel, WebLlmModel } from './direct/messages.ts';

/** Pairs of measurements in one launch. */
export interface PairCounts {
  decode: number;
  /** Without it, the time to the first token is taken from the pairs for `decode`. */
  ttft?: number;
  reload: number;
  takeover: number;
  options?: number;
}

/** The messages for a model, and the number of measurements. */
export interface Workload {
  name: 'tiny' | 'smollm2';
  /** Name of the pack's folder. */
  pack: string;
  /** A short prompt that gets a long answer. */
  messages: TemplateMessage[];
  /** Length of a measured answer. */
  tokens: number;
  pairs: PairCounts;
}

export const WORKLOADS: Record<Workload['name'], Workload> = {
  tiny: {
    name: 'tiny',
    pack: 'tiny-chat',
    messages: [{ role: 'user', content: 'Count to 60.' }],
    tokens: 64,
    pairs: { decode: 4, ttft: 4, reload: 4, takeover: 2, options: 4 },
  },
  smollm2: {
    name: 'smollm2',
    pack: 'smollm2-135m',
    // Without a system message, the model's template adds a longer one.
    messages: [
      { role: 'system', content: 'You tell stories.' },
      { role: 'user', content: 'Tell me one.' },
    ],
    tokens: 24,
    pairs: { decode: 2, reload: 2, takeover: 2 },
  },
};

/** A workload with what the pack says about its model. */
export interface BenchModel extends Workload {
  id: string;
  /** The workload's messages, rendered: the text that both sides give to the model. */
  prompt: string;
  /** Renders any messages in the same way. */
  render(messages: TemplateMessage[]): string;
  modelLibrary: string;
  stopTokenIds: number[];
  /** Tokens. */
  contextLength: number;
  gguf: BenchGguf;
}

/** The model's file for llama.cpp. */
export interface BenchGguf {
  /** Name in the pack's folder. */
  file: string;
  memory: GgufMemory;
}

const chatConfigSchema = v.object({
  conv_template: v.object({ stop_token_ids: v.array(v.number()) }),
});

/** @param packs - folders of model packs */
export function benchModel(workload: Workload, packs: string[]): BenchModel {
  const folder = packs.find((path) => basename(path) === workload.pack);
  if (!folder) throw new Error(`There is no model pack ${workload.pack}.`);
  const readJson = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const manifest = v.parse(manifestSchema, readJson('manifest.json'));
  const { id, contextLength } = manifest;
  const { conv_template: conv } = v.parse(chatConfigSchema, readJson('mlc-chat-config.json'));
  const facts = tokenizerFacts(readJson('tokenizer.json'), readJson('tokenizer_config.json'));
  if (facts.chatTemplate === undefined) throw new Error(`${id} has no chat template.`);
  const template = chatTemplate(facts.chatTemplate, facts);
  const render = (messages: TemplateMessage[]) => template(messages, {});
  const prompt = render(workload.messages);
  const said = { id, contextLength, stopTokenIds: conv.stop_token_ids, ...variantFacts(manifest) };
  return { ...workload, ...said, prompt, render };
}

function variantFacts({ id, variants }: v.InferOutput<typeof manifestSchema>) {
  const webllm = variants.find((variant) => variant.engine === 'webllm');
  const llamacpp = variants.find((variant) => variant.engine === 'llamacpp');
  if (!webllm || !llamacpp) throw new Error(`${id} has no variant for each text engine.`);
  const { parts, memory } = llamacpp;
  return { modelLibrary: webllm.modelLibrary, gguf: { file: parts[0] ?? '', memory } };
}

/** @param origin - origin of the bench's server */
export function directModel(model: BenchModel, origin: string): WebLlmModel {
  const { modelLibrary, stopTokenIds } = model;
  const url = folderUrl(model, origin);
  return { engine: 'webllm', url, modelLibrary: url + modelLibrary, stopTokenIds };
}

/**
 * The GGUF file as wllama or our binding loads it.
 *
 * @param origin - origin of the bench's server
 */
export function ggufModel(
  model: BenchModel,
  origin: string,
  other: Pick<GgufModel, 'engine' | 'threads' | 'onGpu'>,
): GgufModel {
  const url = folderUrl(model, origin) + model.gguf.file;
  const { contextLength } = model;
  return { ...other, url, wasm: `${origin}/${WASM[other.engine]}`, contextLength };
}

const WASM: Record<GgufModel['engine'], string> = {
  llamacpp: 'slashv1/llamacpp.wasm',
  wllama: 'direct/wllama.wasm',
};

function folderUrl({ pack }: BenchModel, origin: string): string {
  return `${origin}/models/${pack}/resolve/main/`;
}
