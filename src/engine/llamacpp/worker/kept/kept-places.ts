import type { PromptDisk } from '../../../../core/operations/jobs/job-parts.ts';
import { commonLength } from '../../../../core/text/common-length.ts';
import type { Breakpoint } from '../../../conversation/prompt/breakpoints.ts';
import type { PromptImages } from '../../../conversation/prompt/prompt-images.ts';
import type { Generate } from '../../messages.ts';
import type { ImageTokens } from '../prompts/image-tokens.ts';
import type { Prefill } from '../kv-contexts.ts';
import type { Llama } from '../llama.ts';
import { promptTokens, type PromptModel } from '../prompts/prompt-tokens.ts';
import type { Stop } from '../prompts/read-prompt.ts';

/** A place in a prompt's tokens, up to which the prompt is kept. */
export interface KeptPlace {
  /** Tokens before it. */
  at: number;
  hours: Breakpoint['hours'];
}

/** The beginning of a prompt that ends at a breakpoint. */
export interface Beginning extends Pick<Breakpoint, 'hours'> {
  /** The tokens of its text alone. */
  tokens: readonly number[];
}

/** The beginnings of a prompt that end at its breakpoints. */
export function beginningsOf(
  model: PromptModel,
  { prompt, generation }: Generate,
  images: PromptImages,
): Promise<Beginning[]> {
  const { breakpoints = [] } = generation.caching ?? {};
  return Promise.all(
    breakpoints.map(async ({ characters, hours }) => ({
      tokens: await promptTokens(model, prompt.slice(0, characters), images),
      hours,
    })),
  );
}

interface PlacingModel {
  llama: Pick<Llama, 'stopTokenIds'>;
  images: Pick<ImageTokens, 'wholeLength'>;
}

/** Where a prompt's breakpoints are in its tokens. */
export function keptPlaces(
  { images, llama }: PlacingModel,
  beginnings: readonly Beginning[],
  tokens: readonly number[],
): KeptPlace[] {
  return beginnings.map(({ tokens: beginning, hours }) => {
    const common = commonLength(beginning, tokens);
    const next = tokens[common];
    // In another prompt, the last token may be one with what follows, unless that is the end of a message.
    const isEnd = next !== undefined && llama.stopTokenIds.includes(next);
    return { at: images.wholeLength(tokens, isEnd ? common : common - 1), hours };
  });
}

/** Keeps what a context's KV cache holds on disk, as `KeptStates` does. */
interface StateKeeper {
  keep(
    context: number,
    tokens: readonly number[],
    hours: number,
    disk: PromptDisk,
  ): Promise<boolean>;
}

/** Where the reading of a prompt pauses for copies. */
export function keptStops(
  states: StateKeeper | undefined,
  places: readonly KeptPlace[],
  { context, tokens, kept, snapshot }: Prefill,
  disk: PromptDisk | undefined,
): Stop[] {
  const ahead = places.filter(({ at }) => at > kept && at < tokens.length);
  return ahead.map(({ at, hours }) => ({
    tokens: at,
    reach: async () => {
      const isLong = hours > 0;
      const isOnDisk =
        isLong && disk && (await states?.keep(context, tokens.slice(0, at), hours, disk));
      await snapshot(at, isLong, isOnDisk === true);
    },
  }));
}
