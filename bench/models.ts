import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { manifestSchema } from '../src/core/stores/pack-manifest.ts';
import type { TemplateMessage } from '../src/core/protocol/jobs.ts';
import { chatTemplate } from '../src/engine/text/chat-template.ts';
import { tokenizerFacts } from '../src/engine/text/tokenizer-files.ts';
import type { DirectModel } from './direct/messages.ts';

/** What a model is asked, and how much of it is measured. */
export interface Workload {
  name: 'tiny' | 'smollm2';
  /** Name of the pack's folder. */
  pack: string;
  /** Short, with a long answer. */
  messages: TemplateMessage[];
  /** Of a measured answer. */
  tokens: number;
  /** Pairs of measurements; no `ttft`: the first tokens of the long answers are taken. */
  pairs: { decode: number; ttft?: number; reload: number; takeover: number; options?: number };
}

export const WORKLOADS: Record<Workload['name'], Workload> = {
  tiny: {
    name: 'tiny',
    pack: 'tiny-chat',
    messages: [{ role: 'user', content: 'Count to 60.' }],
    // Short and many: what else the machine does then hits both of a pair alike.
    tokens: 64,
    pairs: { decode: 60, ttft: 60, reload: 12, takeover: 8, options: 12 },
  },
  smollm2: {
    name: 'smollm2',
    pack: 'smollm2-135m',
    // Without a system message the model's template puts in a longer one.
    messages: [
      { role: 'system', content: 'You tell stories.' },
      { role: 'user', content: 'Tell me one.' },
    ],
    tokens: 24,
    pairs: { decode: 16, reload: 8, takeover: 4 },
  },
};

/** A workload on its pack. */
export interface BenchModel extends Workload {
  id: string;
  /** The messages as the model gets them from either side. */
  prompt: string;
  /** Any messages, likewise. */
  render(messages: TemplateMessage[]): string;
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
  const template = chatTemplate(facts.chatTemplate, facts);
  const render = (messages: TemplateMessage[]) => template(messages, {});
  const prompt = render(workload.messages);
  return { ...workload, id, prompt, render, modelLibrary, stopTokenIds: conv.stop_token_ids };
}

/** @param origin - of the bench's server */
export function directModel({ pack, modelLibrary, stopTokenIds }: BenchModel, origin: string) {
  const url = `${origin}/models/${pack}/resolve/main/`;
  return { url, modelLibrary: url + modelLibrary, stopTokenIds } satisfies DirectModel;
}
