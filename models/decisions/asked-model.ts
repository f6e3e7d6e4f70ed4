import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { MODEL, openApi } from '../../test/contract/support/api.ts';
import { LlamaCppEngine } from '../../test/contract/support/llamacpp-engine.ts';
import type { Item, Option } from './item.ts';

/** How the options of a choice are shown: by their own words, or by letters with the words behind them. */
export type Naming = 'words' | 'letters';

/** The probabilities of an item's answers; for a predicate, of true and of false. */
export const answeredSchema = v.object({
  /** With its options in one order. */
  one: v.array(v.number()),
  /** The mean of both orders: what the API answers by default. */
  both: v.array(v.number()),
  /** How likely the model was to give one of the answers at all, mean of both orders. */
  coverage: v.number(),
});

export type Answered = v.InferOutput<typeof answeredSchema>;

const answerSchema = v.object({
  probability: v.optional(v.number()),
  probabilities: v.optional(v.array(v.object({ probability: v.number() })), []),
  coverage: v.number(),
});
const bodySchema = v.object({ answers: v.tuple([answerSchema]) });

/**
 * Opens a model in llama.cpp, in this process, behind the API app.
 *
 * @param file - GGUF
 * @returns asks the model about an item
 */
export async function openModel(
  file: string,
): Promise<(item: Item, naming: Naming) => Promise<Answered>> {
  const engine = new LlamaCppEngine(new Uint8Array(await readFile(file)));
  const api = await openApi({ via: () => engine });
  const ask = async (item: Item, naming: Naming, orders: number) => {
    const response = await api.post('/decisions', {
      model: MODEL,
      input: item.input,
      questions: [questionOf(item, naming)],
      option_orders: orders,
      // The model's own numbers are measured, not calibrated ones.
      temperature: 1,
    });
    if (!response.ok) throw new Error(await response.text());
    return v.parse(bodySchema, await response.json()).answers[0];
  };
  return async (item, naming) => {
    const one = await ask(item, naming, 1);
    const both = await ask(item, naming, 2);
    return { one: chances(one), both: chances(both), coverage: both.coverage };
  };
}

function chances({ probability, probabilities }: v.InferOutput<typeof answerSchema>): number[] {
  if (probability !== undefined) return [probability, 1 - probability];
  return probabilities.map((each) => each.probability);
}

function questionOf({ type, instructions, options }: Item, naming: Naming): object {
  switch (type) {
    case 'predicate':
      return { type, instructions };
    case 'choice':
      return { type, instructions, choices: options.map(naming === 'words' ? word : letter) };
    case 'score':
      return {
        type,
        instructions,
        levels: options.map(({ name, ...rest }) => ({ label: name, ...rest })),
      };
  }
}

function word({ name, ...rest }: Option) {
  return { value: name, ...rest };
}

/** The option as the product shows it when it answers by letters. */
function letter({ name, description }: Option, place: number) {
  const meaning = [name, description].filter((part) => part !== undefined).join(' – ');
  return { value: String.fromCharCode(65 + place), description: meaning };
}
