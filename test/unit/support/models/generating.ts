import { SharedBatches } from '../../../../src/engine/llamacpp/worker/batches/shared-batches.ts';
import type { Costs } from '../../../../src/engine/llamacpp/worker/drafts/batch-costs.ts';
import { GrammarMasks } from '../../../../src/engine/llamacpp/worker/grammar-masks.ts';
import { KvContexts } from '../../../../src/engine/llamacpp/worker/kv-contexts.ts';
import type { Generate, WrittenText } from '../../../../src/engine/llamacpp/messages.ts';
import { writeAnswer, type Run } from '../../../../src/engine/llamacpp/worker/write-answer.ts';
import type { Generation } from '../../../../src/engine/conversation/text-model.ts';
import { loadXGrammar } from '../../../support/xgrammar.ts';
import { FakeLlama, imageTokens, STOP } from '../fakes/fake-llama.ts';

interface Asked extends Partial<Omit<Generate, 'generation'>> {
  generation?: Partial<Generation>;
  /** Called at each turn of the event loop. */
  onTurn?: (run: Run) => void;
}

/** What the batches of most models cost, whatever this machine does beside. */
export const COSTS: Costs = { share: 0.37, note: () => undefined, begin: () => undefined };

/** A model with KV caches and grammars, and a function that generates with it. */
export function openModel({
  contextLength = 200,
  stripsFirstSpace = false,
  mostDrafted = 7,
  costs = COSTS,
} = {}) {
  const llama = new FakeLlama();
  const images = imageTokens(llama);
  const contexts = new KvContexts(llama, images, contextLength);
  const masks = new GrammarMasks(loadXGrammar(), llama);
  const batches = new SharedBatches(llama, costs);
  const ask = async ({ generation, onTurn, ...request }: Asked = {}) => {
    const pieces: WrittenText[] = [];
    let progress = 0;
    const run: Run = {
      isStopped: false,
      onProgress: () => progress++,
      onText: (piece) => pieces.push(piece),
      turn: async () => onTurn?.(run),
    };
    llama.batches.length = 0;
    const finish = await writeAnswer(
      {
        llama,
        decoder: llama,
        contexts,
        images,
        masks,
        contextLength,
        mostDrafted,
        stripsFirstSpace,
        costs,
        batches,
      },
      {
        prompt: 'hello|A:',
        written: [],
        mayAddCache: true,
        ...request,
        generation: {
          sampling: { temperature: 0 },
          random: { seed: 1, choice: 0, drawn: 0 },
          ...generation,
        },
      },
      run,
    );
    return { ...finish, pieces, progress, text: pieces.map(({ text }) => text).join('') };
  };
  return { llama, contexts, images, ask };
}

/** A model that finds all bytes from a to z equally likely, and never ends. */
export function letters(): Float32Array {
  const logits = new Float32Array(STOP + 1).fill(-50);
  return logits.fill(0, 0x61, 0x7b);
}
