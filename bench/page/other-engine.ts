import type { DirectModel } from '../direct/messages.ts';
import type { TimedAnswer } from '../answer.ts';

/** What `/v1` is compared with. It takes one request at a time. */
export interface OtherEngine {
  load(model: DirectModel): Promise<void>;
  /** Frees the model's memory. */
  unload(): Promise<void>;
  /** Takes the rendered prompt and prefills all of it; decoding is greedy. */
  ask(prompt: string, maxTokens: number): Promise<TimedAnswer>;
}
