import { contextOverflow, unsupportedValue } from '../../../core/errors/errors.ts';
import type { GenerateJob, Prompt, ToolOffer } from '../../../core/operations/jobs/jobs.ts';
import { isHopeless } from '../../../core/text/hopeless-length.ts';
import type { ChatFormat } from './chat-format.ts';
import type { Breakpoint } from './breakpoints.ts';
import type { PromptImages } from './prompt-images.ts';
import { promptText, type PromptText } from './prompt-text.ts';
import type { ThinkingPlace } from '../answer/reasoning-splitter.ts';
import { templateError } from './template-error.ts';
import { toolUse, type ToolUse } from '../tools/tool-use.ts';

/** A job with its prompt rendered for the model. */
export interface Prepared {
  use: ToolUse;
  prompt: string;
  images: PromptImages;
  breakpoints: Breakpoint[];
  /** Where the answer begins. */
  thinking: ThinkingPlace;
  /** Whether the model may think before it answers. */
  mayThink: boolean;
}

interface Facts {
  format: ChatFormat;
  /** Tokens. */
  contextLength: number;
  /** Whether prompts may have images. */
  sees: boolean;
}

/** Renders the prompts of jobs for one model. */
export class JobPrompts {
  readonly #facts: Facts;
  /** Prompts of waiting jobs: rendering takes a while. */
  readonly #prepared = new WeakMap<GenerateJob, Prepared>();

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** @throws ApiError 400 */
  prepare(job: GenerateJob): Prepared {
    const known = this.#prepared.get(job);
    if (known) return known;
    const { callFormat, tokenIds, answer } = this.#facts.format;
    const use = toolUse(job, callFormat, tokenIds, answer.begin);
    const { model, prompt: asked, tools, maxThinkingTokens } = job;
    const { text: prompt, ...rest } = this.read(model, asked, tools, maxThinkingTokens);
    const prepared = { use, prompt, ...rest };
    this.#prepared.set(job, prepared);
    return prepared;
  }

  /**
   * @param budget - most tokens of a thought
   * @throws ApiError 400, also for images that the model cannot be shown
   */
  read(model: string, prompt: Prompt, offer: ToolOffer | undefined, budget?: number): PromptText {
    const read = this.#render(model, prompt, offer, budget);
    const [image] = read.images.values();
    if (!image || this.#facts.sees) return read;
    throw unsupportedValue('This model cannot be shown images on this device.', image.field);
  }

  /**
   * Engines count a prompt's tokens before they read it. But tokenizing a prompt that is a thousand
   * times too long can exhaust stack or memory.
   */
  refuseHopeless(prompt: string): void {
    const { contextLength } = this.#facts;
    if (!isHopeless(prompt, contextLength)) return;
    const sizes = `${contextLength} tokens; the prompt has ${prompt.length} characters`;
    throw contextOverflow(sizes, { context: contextLength });
  }

  #render(
    model: string,
    prompt: Prompt,
    offer: ToolOffer | undefined,
    budget: number | undefined,
  ): PromptText {
    // If the model may not call tools, its prompt lists none.
    const tools = offer?.choice === 'none' ? undefined : offer?.tools;
    try {
      return promptText(prompt, this.#facts.format, { tools, budget });
    } catch (error) {
      throw templateError(error, model);
    }
  }
}
