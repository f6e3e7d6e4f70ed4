import type { Sampling } from '../../core/operations/jobs/jobs.ts';
import type { ChatFormat, HiddenTokens } from '../conversation/prompt/chat-format.ts';

/** Facts from a model's files that its answers depend on. */
export interface ChatModelFacts {
  format: ChatFormat;
  hidden: HiddenTokens;
  /** Tokens with which the model ends its turn. */
  stopTokenIds: readonly number[];
  /** Tokens. */
  contextLength: number;
  /** Tokens; undefined if the model's files do not say it. */
  vocabularySize: number | undefined;
  /** The model's own sampling defaults. */
  sampling: Sampling & { temperature: number };
}
