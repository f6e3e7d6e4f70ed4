import { jobFault } from '../../core/errors/errors.ts';
import type { GenerateEvent } from '../../core/operations/events/events.ts';
import type { GenerateJob, TemplateMessage } from '../../core/operations/jobs/jobs.ts';
import { counted, started, withoutPlace } from '../conversation/answer/answer-events.ts';
import { BoundedThinking, type ThinkingBound } from '../conversation/answer/bounded-thinking.ts';
import { thinksAgain } from '../conversation/answer/reasoning-splitter.ts';
import { Continuation } from '../conversation/answer/continuation.ts';
import { OutputParser, type ParsedEvent } from '../conversation/answer/output-parser.ts';
import { TokenAligner } from '../conversation/answer/token-aligner.ts';
import type { TokenBytes } from '../conversation/answer/vocabulary.ts';
import {
  ConstraintError,
  outputConstraint,
  type Thinking,
} from '../conversation/constraint/output-constraint.ts';
import type { Prepared } from '../conversation/prompt/job-prompts.ts';
import type { Caching, EmitRaw, Generation, TextModel } from '../conversation/text-model.ts';
import type { ChatModelFacts } from './chat-model-facts.ts';
import type { ReadingTurns } from './reading-turns.ts';

/** An answer to write. */
export interface WantedAnswer {
  job: GenerateJob;
  prepared: Prepared;
  caching: Caching;
  seed: number;
  /** Which of the job's answers it is, from 0. */
  choice: number;
  /** See `ChatModel.generate`. */
  turns: ReadingTurns | undefined;
}

/** Writes answers: generates raw output, and splits it into reasoning, text and calls. */
export class AnswerWriter {
  readonly #model: TextModel;
  readonly #facts: ChatModelFacts;
  readonly #vocabulary: () => Promise<TokenBytes>;

  constructor(model: TextModel, facts: ChatModelFacts, vocabulary: () => Promise<TokenBytes>) {
    this.#model = model;
    this.#facts = facts;
    this.#vocabulary = vocabulary;
  }

  /** @param onOutput - called at each raw event */
  async write(
    { job, prepared, caching, seed, choice, turns }: WantedAnswer,
    signal: AbortSignal,
    emit: (event: GenerateEvent) => void,
    onOutput: () => void,
  ): Promise<void> {
    const { use, prompt, images, thinking: begin } = prepared;
    const thinking = this.#thinking(prepared);
    const sampling = { ...this.#facts.sampling, ...use.sampling };
    const continued = new Continuation(job, sampling, use.grammar === undefined);
    const { format } = this.#facts;
    const parser = new OutputParser({
      stop: job.stop,
      minTokens: job.ending?.minTokens,
      ...(job.prompt.kind === 'chat' && {
        marks: format.thinking?.marks,
        answer: format.answer,
        callIds: callIds(job.prompt.messages),
        ...(!job.showsControlTokens && { controls: this.#facts.hidden.inMarks }),
      }),
      thinking: begin,
      calls: use.newParser?.(),
    });
    const hiding = this.#facts.hidden[use.newParser ? 'withCalls' : 'withoutCalls'];
    const hidden = job.showsControlTokens ? undefined : hiding;
    const aligner =
      job.topLogprobs === undefined
        ? undefined
        : new TokenAligner(await this.#vocabulary(), hidden);
    const aligned = (parsed: ParsedEvent[]) => aligner?.align(parsed) ?? parsed.map(withoutPlace);
    let tokens = 0;
    const tell = (parsed: ParsedEvent[]) => {
      for (const each of aligned(parsed)) emit(job.countsTokens ? counted(each, tokens) : each);
    };
    const generation: Generation = {
      sampling,
      images,
      random: { seed, choice, drawn: continued.tokens },
      maxTokens: job.maxTokens && job.maxTokens - continued.tokens,
      constraint: use.grammar === undefined ? undefined : outputConstraint(use.grammar, thinking),
      prediction: job.prediction,
      topLogprobs: job.topLogprobs,
      ending: job.ending,
      hidden,
      caching,
    };
    let isStarted = continued.tokens > 0;
    if (isStarted) emit({ type: 'start' });
    for (const { checkpoint, text, tokens: count } of continued.past()) {
      tokens = count;
      checkpoint.forEach(emit);
      tell(parser.push(text, count));
    }
    const take: EmitRaw = (event, interrupt) => {
      onOutput();
      switch (event.type) {
        case 'progress':
          if (job.tellsReading && event.read) emit({ type: 'reading', prompt: event.read });
          break;
        case 'text': {
          if (!isStarted) emit(started(event.prompt, sampling));
          isStarted = true;
          const wasStopped = parser.stopped;
          tokens = continued.tokens + (event.count ?? 0);
          continued.checkpoint(event.text, event.count, event.hides).forEach(emit);
          aligner?.push(event.tokens);
          tell(parser.push(event.text, event.count && tokens));
          if (parser.stopped && !wasStopped) interrupt?.();
          break;
        }
        case 'finish': {
          tell(parser.flush(event.reason === 'length'));
          aligner?.finish().forEach(emit);
          const usage = { ...continued.usage(event.usage), ...parser.usage };
          const { isTight } = event;
          emit({ type: 'finish', ...parser.end(event.reason), ...(isTight && { isTight }), usage });
        }
      }
    };
    const bound = await this.#bound(job, prepared);
    const bounded = bound && new BoundedThinking(this.#model, bound);
    const generate = (ending: AbortSignal, written: EmitRaw) =>
      bounded?.run(prompt, continued, generation, ending, written) ??
      this.#model.generate(prompt + continued.text, generation, ending, written);
    const isDivisible = this.#model.keepsReading === true && continued.tokens === 0;
    try {
      await (isDivisible && turns ? turns.turn(generate, signal, take) : generate(signal, take));
    } catch (error) {
      throw error instanceof ConstraintError ? faultOf(error, prepared) : error;
    }
  }

  /**
   * How the thinking is limited; undefined: not at all. It is limited if the job says so, or if the answer must hold a
   * call or JSON: half of the room is then left for that.
   */
  async #bound(job: GenerateJob, prepared: Prepared): Promise<ThinkingBound | undefined> {
    const { use, prompt, images, thinking: begin, mayThink } = prepared;
    const known = mayThink ? this.#facts.format.thinking : undefined;
    if (!known) return undefined;
    const { marks, written } = known;
    const reopens = thinksAgain(this.#facts.format.answer);
    const bound = { marks, closing: written.close, begin, reopens };
    const { maxTokens = Infinity, maxThinkingTokens = Infinity, format, tools } = job;
    const constraint = use.grammar === undefined ? undefined : outputConstraint(use.grammar);
    const mustCall = tools !== undefined && tools.choice !== 'auto' && tools.choice !== 'none';
    if (format === undefined && !mustCall) {
      const limit = job.maxThinkingTokens;
      return limit === undefined ? undefined : { ...bound, limit, constraint };
    }
    const read = await this.#model.tokenizer?.encode(prompt, images);
    const room = Math.min(maxTokens, this.#facts.contextLength - (read?.length ?? 0));
    const limit = Math.min(maxThinkingTokens, Math.max(1, Math.floor(room / 2)));
    return { ...bound, limit, constraint };
  }

  /** How the model may think before it answers; undefined: not at all. */
  #thinking({ thinking: begin, mayThink }: Prepared): Thinking | undefined {
    // If the template was told to leave out the thinking, the grammar leaves it out as well.
    const marks = mayThink ? this.#facts.format.thinking?.marks : undefined;
    return marks && { marks, opened: begin !== 'before' };
  }
}

function callIds(messages: readonly TemplateMessage[]): string[] {
  return messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id));
}

/** A constraint that the model cannot compile is a fault of the job. */
function faultOf({ message }: ConstraintError, { use }: Prepared): Error {
  const text = `gives a grammar that does not compile: ${message}`;
  return jobFault(use.newParser ? 'tools' : 'format', text, { code: 'invalid_json_schema' });
}
