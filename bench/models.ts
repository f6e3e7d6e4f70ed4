import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { manifestSchema } from '../src/core/stores/pack-manifest.ts';
import type { TemplateMessage } from '../src/core/protocol/jobs.ts';
import { chatTemplate } from '../src/engine/text/chat-template.ts';
import { tokenizerFacts } from '../src/engine/text/tokenizer-files.ts';
import type { DirectModel } from './direct/messages.ts';

/** Pairs of measurements in one launch. */
export interface PairCounts {
  decode: number;
  /** Without it, the time to the first token is taken from the pairs for `decode`. */
  ttft?: number;
  reload: number;
  takeover: number;
  options?: number;
}

/** What a model is asked, and how often. */
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
