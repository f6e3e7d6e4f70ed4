import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { manifestSchema } from '../src/core/catalog-entry.ts';
import { chatTemplate } from '../src/engine/chat-template.ts';
import { tokenizerFacts } from '../src/engine/tokenizer-files.ts';
import type { DirectModel } from './direct/messages.ts';

/** What a model is asked, and how much of it is measured. */
export interface Workload {
  name: 'tiny' | 'smollm2';
  /** Name of the pack's folder. */
  pack: string;
  /** Makes a long answer. */
  question: string;
  /** Of a measured answer. */
  tokens: number;
  /** Pairs of measurements; no `ttft`: the first tokens of the long answers are taken. */
  pairs: { decode: number; ttft?: number; reload: number };
}

export const WORKLOADS: Record<Workload['name'], Workload> = {
  tiny: {
    name: 'tiny',
    pack: 'tiny-chat',
    question: 'Count to 60.',
    tokens: 128,
    pairs: { decode: 20, ttft: 40, reload: 12 },
  },
  smollm2: {
    name: 'smollm2',
    pack: 'smollm2-135m',
    question: 'Tell me a long story about a fox.',
    tokens: 48,
    pairs: { decode: 8, reload: 8 },
  },
};

/** A workload on its pack. */
export interface BenchModel extends Workload {
  id: string;
  /** The question as the API gets it. */
  messages: { role: string; content: string }[];
  /** The same, as the model gets it from either side. */
  prompt: string;
  modelLibrary: string;
  stopTokenIds: number[];
}

const chatConfigSchema = v.object({
  conv_template: v.object({ stop_token_ids: v.array(v.number()) }),
});

/** @param packs - folders of model packs */
export function benchModel(workload: Workload, packs: string[]): BenchModel {
  const folder = packs.find((path) => basename(path) === workload.pack);
  if (!folder) throw new Error(`There is no model pack ${workload.pack}.`);
  const readJson = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const { id, modelLibrary } = v.parse(manifestSchema, readJson('manifest.json'));
  const { conv_template: conv } = v.parse(chatConfigSchema, readJson('mlc-chat-config.json'));
  const facts = tokenizerFacts(readJson('tokenizer.json'), readJson('tokenizer_config.json'));
  if (facts.chatTemplate === undefined) throw new Error(`${id} has no chat template.`);
  const messages = [{ role: 'user' as const, content: workload.question }];
  const prompt = chatTemplate(facts.chatTemplate, facts)(messages, {});
  return { ...workload, id, messages, prompt, modelLibrary, stopTokenIds: conv.stop_token_ids };
}

/** @param origin - of the bench's server */
export function directModel({ pack, modelLibrary, stopTokenIds }: BenchModel, origin: string) {
  const url = `${origin}/models/${pack}/resolve/main/`;
  return { url, modelLibrary: url + modelLibrary, stopTokenIds } satisfies DirectModel;
}
