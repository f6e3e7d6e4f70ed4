import { vi } from 'vitest';
import { seededRandom } from '../../../../scripts/seeded-random.ts';
import { schemaGrammar } from '../../../../src/core/grammar/compile.ts';
import { outputConstraint } from '../../../../src/engine/conversation/constraint/output-constraint.ts';
import type { Generation } from '../../../../src/engine/conversation/text-model.ts';
import type { WrittenText } from '../../../../src/engine/llamacpp/messages.ts';
import { SharedBatches } from '../../../../src/engine/llamacpp/worker/batches/shared-batches.ts';
import { GrammarMasks } from '../../../../src/engine/llamacpp/worker/grammar-masks.ts';
import { ImageTokens } from '../../../../src/engine/llamacpp/worker/prompts/image-tokens.ts';
import { KvContexts } from '../../../../src/engine/llamacpp/worker/kv-contexts.ts';
import type { Llama } from '../../../../src/engine/llamacpp/worker/llama.ts';
import type { Decoder } from '../../../../src/engine/llamacpp/worker/prompts/read-prompt.ts';
import { ThreadedDecoder } from '../../../../src/engine/llamacpp/worker/threads/threaded-decoder.ts';
import { writeAnswer } from '../../../../src/engine/llamacpp/worker/write-answer.ts';
import { loadXGrammar } from '../../../support/xgrammar.ts';
import { decodeFake } from '../fakes/fake-llama.ts';
import { COSTS } from './generating.ts';
import { openTinyChat } from './tiny-chat-llama.ts';

/** Tokens. */
export const CONTEXT = 512;

const object = (properties: object) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const FIELDS = Object.fromEntries(
  ['name', 'street', 'city', 'postcode', 'country', 'email', 'telephone', 'remark'].map((name) => [
    name,
    { type: 'string', maxLength: 5 },
  ]),
);
const WEATHER = object({
  city: { type: 'string', maxLength: 6 },
  unit: { enum: ['celsius', 'fahrenheit'] },
  days: { type: 'integer', minimum: 1, maximum: 14 },
});
const GRAMMARS = [
  schemaGrammar(object(FIELDS)),
  schemaGrammar(WEATHER),
  schemaGrammar({ type: 'array', items: object({ kind: { const: 'point' }, x: {}, y: {} }) }),
  schemaGrammar(object({ größe: { enum: ['klein', 'groß'] }, 名前: { const: '漢字 🙂' } })),
  'root ::= "<tool_call>\\n{\\"name\\": \\"get_weather\\", \\"arguments\\": {\\"city\\": \\"" [a-z]+ "\\"}}\\n</tool_call>"',
  'root ::= [0-9]{4} "-" [01] [0-9] "-" [0-3] [0-9] "T00:00:00.000Z"',
];
export const PROMPTS = [
  'Count to 100.',
  'What is the weather in Paris?',
  'Tell me about yourself in three sentences.',
];

const random = seededRandom(38);
export const below = (count: number) => Math.floor(random() * count);
export const oneOf = <T>(values: readonly T[]): T => values[below(values.length)] as T;
export const perhaps = <T extends object>(given: T): Partial<T> => (random() < 0.3 ? given : {});

/** A request of any kind. */
export function anyGeneration(): Generation {
  const grammar = random() < 0.6 ? oneOf(GRAMMARS) : undefined;
  const thinking = { marks: { open: '<think>', close: '</think>' }, opened: false };
  return {
    sampling: {
      temperature: oneOf([0, 0, 0.7, 1.5]),
      ...perhaps({ topP: 0.9 }),
      ...perhaps({ topK: 1 + below(40) }),
      ...perhaps({ minP: 0.1 }),
      ...perhaps({ frequencyPenalty: 1 }),
      ...perhaps({ presencePenalty: 1 }),
      ...perhaps({ repetitionPenalty: 1.3 }),
      ...perhaps({ logitBias: { [below(1024)]: 5, [below(1024)]: -100 } }),
    },
    random: { seed: below(1e6), choice: below(3), drawn: 0 },
    maxTokens: 1 + below(80),
    ...(grammar !== undefined && {
      constraint: outputConstraint(grammar, random() < 0.2 ? thinking : undefined),
    }),
    ...perhaps({ topLogprobs: below(4) }),
    ...perhaps({ ending: { minTokens: below(60), stopTokenIds: [below(1024)] } }),
  };
}

/** A text, perhaps with another word in its middle. */
export function misquoted(text: string): string {
  const middle = text.length >> 1;
  return random() < 0.5 ? text : `${text.slice(0, middle)} hm ${text.slice(middle + 3)}`;
}

export interface Asked {
  /** Tokens that another worker has written. */
  written?: number[];
  /** The answer is stopped at this turn of the event loop. */
  stopsAt?: number;
}

/** A function that writes answers with tiny-chat, and how many batches it has computed. */
export async function openRealModel(mostDrafted: number) {
  const llama = await openTinyChat();
  const decode = vi.spyOn(llama, 'decodeTogether');
  const decoder = new ThreadedDecoder(llama, { mostThreads: 1, threads: 1 });
  return { ask: answersOf(llama, decoder, mostDrafted), decode };
}

/** A function that writes answers with a model. */
export function answersOf(llama: Llama, decoder: Decoder, mostDrafted: number) {
  const images = new ImageTokens(llama, decodeFake);
  const contexts = new KvContexts(llama, images, CONTEXT);
  const masks = new GrammarMasks(loadXGrammar(), llama);
  const model = {
    llama,
    images,
    contexts,
    masks,
    decoder,
    mostDrafted,
    contextLength: CONTEXT,
    stripsFirstSpace: false,
    costs: COSTS,
    batches: new SharedBatches(decoder, COSTS),
  };
  return async (question: string, generation: Generation, asked: Asked = {}) => {
    const { written = [], stopsAt = Infinity } = asked;
    const pieces: WrittenText[] = [];
    let turns = 0;
    const run = {
      isStopped: false,
      onProgress: () => undefined,
      onText: (piece: WrittenText) => pieces.push(piece),
      turn: async () => void (run.isStopped = ++turns >= stopsAt),
    };
    const prompt = `<|im_start|>user\n${question}<|im_end|>\n<|im_start|>assistant\n`;
    const more = { mayAddCache: true, mayGrowSnapshots: true };
    const request = { prompt, generation, written, ...more };
    const { usage, ...finish } = await writeAnswer(model, request, run);
    const { drafts, ...counts } = usage;
    return { answer: { pieces, finish, counts }, drafts };
  };
}
