import { promptTooLong, serverError } from '../../../core/errors/errors.ts';
import type { ScoredPrompt } from '../../../core/operations/events/events.ts';
import { watchOutput } from '../../scheduling/watchdog.ts';
import type { SampledToken } from './sampler.ts';
import type { Generation, TextModel, Tokenizer } from '../text-model.ts';
import { bytesText, tokenLogprob, tokenText } from './token-chances.ts';
import type { TokenBytes } from '../answer/vocabulary.ts';

interface PromptScoring {
  model: Pick<TextModel, 'generate'>;
  tokenizer: Tokenizer;
  vocabulary: TokenBytes;
  /** Tokens. */
  contextLength: number;
}

/**
 * Computes the probabilities of a prompt's tokens. Engines do not compute them when they read a prompt, so the
 * model writes the prompt: it reads the beginning, and is forced to continue with the other tokens. That is as
 * slow as writing. Afterwards, the prompt is in the KV cache for the answer.
 *
 * @param topLogprobs - how many alternatives to note at each token
 * @throws ApiError 400 context_length_exceeded
 */
export async function scorePrompt(
  { model, tokenizer, vocabulary, contextLength }: PromptScoring,
  prompt: string,
  topLogprobs: number,
  signal: AbortSignal,
): Promise<ScoredPrompt> {
  const ids = await tokenizer.encode(prompt);
  if (ids.length >= contextLength) throw promptTooLong(ids.length, contextLength);
  const own = await ownTokens(tokenizer, vocabulary, prompt, ids);
  const beginning = await readableBeginning(tokenizer, ids, own);
  const forced = ids.slice(beginning.count);
  const generation: Generation = {
    sampling: { temperature: 0 },
    random: { seed: 0, choice: 0, drawn: 0 },
    maxTokens: forced.length,
    topLogprobs,
    forced,
  };
  const written: SampledToken[] = [];
  if (forced.length > 0) {
    await watchOutput((onOutput) =>
      model.generate(beginning.text, generation, signal, (event) => {
        onOutput();
        if (event.type === 'text') written.push(...event.tokens);
      }),
    );
  }
  if (written.length < forced.length) {
    throw serverError('engine_error', 'The engine has not computed the whole prompt.');
  }
  return {
    unscored: ids.slice(own, beginning.count).map((id) => tokenText(vocabulary, id)),
    scored: written.map((token) => tokenLogprob(vocabulary, token)),
  };
}

/** How many tokens the model reads before each prompt that are not part of the prompt's text. */
async function ownTokens(
  tokenizer: Tokenizer,
  vocabulary: TokenBytes,
  prompt: string,
  ids: readonly number[],
): Promise<number> {
  const own = await tokenizer.encode('');
  const text = bytesText(own.flatMap((id) => [...vocabulary.bytes(id)]));
  const isOfText = text !== '' && prompt.startsWith(text);
  return !isOfText && isBeginning(own, ids) ? own.length : 0;
}

/** The shortest beginning of the prompt's text that is read as the same tokens: nearly always one token. */
async function readableBeginning(
  tokenizer: Tokenizer,
  ids: readonly number[],
  own: number,
): Promise<{ text: string; count: number }> {
  for (let count = own + 1; count < ids.length; count++) {
    const text = await tokenizer.decode(ids.slice(own, count));
    const read = await tokenizer.encode(text);
    if (read.length === count && isBeginning(read, ids)) return { text, count };
  }
  return { text: '', count: ids.length };
}

function isBeginning(beginning: readonly number[], ids: readonly number[]): boolean {
  return beginning.every((id, index) => ids[index] === id);
}
