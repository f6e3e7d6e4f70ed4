import { retriable } from '../../core/async/retriable.ts';
import { promptTooLong, serverError, unsupportedValue } from '../../core/errors/errors.ts';
import type {
  DecideEvent,
  GenerateEvent,
  ScoredPrompt,
  TokensEvent,
} from '../../core/operations/events/events.ts';
import type { DecideJob, GenerateJob, TokensJob } from '../../core/operations/jobs/jobs.ts';
import { isHopeless } from '../../core/text/hopeless-length.ts';
import { watchOutput } from '../scheduling/watchdog.ts';
import { started } from '../conversation/answer/answer-events.ts';
import { fittingJob } from '../conversation/prompt/dropped-turns.ts';
import { JobPrompts, type Prepared } from '../conversation/prompt/job-prompts.ts';
import { KnownTokens } from '../conversation/prompt/known-tokens.ts';
import { scorePrompt } from '../conversation/sampling/prompt-score.ts';
import { promptUsage, withoutKeys } from '../conversation/prompt/prompt-images.ts';
import { AnswerWriter } from './answer-writer.ts';
import type { ChatModelFacts } from './chat-model-facts.ts';
import { Decider, type Deciding } from './decider.ts';
import { RequestCaching, type CachedJob } from './request-caching.ts';
import type { ReadingTurns } from './reading-turns.ts';
import type { TextModel, Tokenizer } from '../conversation/text-model.ts';
import type { TokenBytes } from '../conversation/answer/vocabulary.ts';

type Emit = (event: GenerateEvent) => void;

/** A text model in memory, with its chat format, prompts and vocabulary. */
export class ChatModel {
  /** The engine's model, which this one builds on. */
  readonly model: TextModel;
  readonly #facts: ChatModelFacts;
  readonly #tokens: KnownTokens;
  /** Read when logprobs are first asked for: it takes memory, and most requests never ask. */
  readonly #vocabulary: () => Promise<TokenBytes>;
  readonly #prompts: JobPrompts;
  readonly #writer: AnswerWriter;
  readonly #decider: () => Promise<Decider>;
  readonly #caching = new RequestCaching();

  constructor(model: TextModel, facts: ChatModelFacts, readVocabulary: () => Promise<TokenBytes>) {
    this.model = model;
    this.#facts = facts;
    this.#tokens = new KnownTokens(facts.vocabularySize);
    this.#prompts = new JobPrompts({ ...facts, sees: model.sees === true });
    this.#vocabulary = retriable(readVocabulary);
    this.#writer = new AnswerWriter(model, facts, this.#vocabulary);
    this.#decider = retriable(async () => {
      const [prompts, tokenizer] = [this.#prompts, this.#tokenizer];
      const vocabulary = await this.#vocabulary();
      const caching = this.#caching;
      return new Decider({ model, facts, prompts, tokenizer, vocabulary, caching });
    });
  }

  /** How many answers may be written at a time. */
  get together(): number {
    return this.model.together ?? 1;
  }

  /** Whether a KV cache already holds most of the job's prompt. */
  isWarm(job: GenerateJob): boolean {
    if (job.caching?.isExplicit) return false;
    try {
      return this.model.isWarm(this.#prompts.prepare(job).prompt);
    } catch {
      // The job reports what is wrong with its prompt when its turn comes.
      return false;
    }
  }

  /**
   * Generates the job's answers, one after the other.
   *
   * @param turns - if they need another turn at the end, only a part of the prompt was read: call this again;
   *   undefined: the prompt is read in one turn
   */
  async generate(
    asked: GenerateJob,
    signal: AbortSignal,
    emit: Emit,
    turns?: ReadingTurns,
  ): Promise<void> {
    const isWithin = (other: GenerateJob, tokens: number) => this.#isWithin(other, tokens);
    const job = await fittingJob(asked, this.#facts.contextLength, isWithin);
    const prepared = this.#prompts.prepare(job);
    const { prompt } = prepared;
    this.#prompts.refuseHopeless(prompt);
    this.#tokens.check(job);
    if (job.scoresPrompt) emit({ type: 'scored', prompt: await this.#score(job, signal) });
    const caching = this.#caching.of(asked, prepared.breakpoints, prompt.length);
    const seed = job.sampling.seed ?? randomSeed();
    for (let choice = 0; choice < (job.choices ?? 1); choice++) {
      if (job.maxTokens === 0) await this.#readOnly(prepared, emit);
      else {
        // The next turn begins this method again, so nothing may have been sent before.
        const isFirst = choice === 0 && job.scoresPrompt !== true;
        const answer = { job, prepared, caching, seed, choice, turns: isFirst ? turns : undefined };
        // Raw output is watched, not parsed events: the parser may rightly hold back text for minutes.
        await watchOutput((onOutput) => this.#writer.write(answer, signal, emit, onOutput));
      }
      if (turns?.needsAnother) return;
    }
  }

  /**
   * Computes how likely the answers to a job's questions are.
   *
   * @returns undefined if the job needs another turn
   */
  async decide(
    job: DecideJob,
    deciding: Deciding,
    signal: AbortSignal,
  ): Promise<DecideEvent | undefined> {
    const decided = await (await this.#decider()).decide(job, deciding, signal);
    return decided && { type: 'decided', ...decided };
  }

  /** Empties the caches that only this job may use. */
  forget(job: CachedJob): void {
    const request = this.#caching.numberOf(job);
    if (request !== undefined) this.model.forget(request);
  }

  async #score(job: GenerateJob, signal: AbortSignal): Promise<ScoredPrompt> {
    const { model } = this;
    const { prompt, images } = this.#prompts.prepare(job);
    const [image] = images.values();
    if (image) throw unsupportedValue('Prompts with images have no probabilities.', image.field);
    const { contextLength } = this.#facts;
    const parts = { model, tokenizer: this.#tokenizer, vocabulary: await this.#vocabulary() };
    return scorePrompt({ ...parts, contextLength }, prompt, job.topLogprobs ?? 0, signal);
  }

  /** Emits an answer without any token. */
  async #readOnly({ prompt, images }: Prepared, emit: Emit): Promise<void> {
    const read = await this.#tokenizer.encode(prompt, images);
    const { length } = read;
    const { contextLength } = this.#facts;
    if (length > contextLength) throw promptTooLong(length, contextLength);
    const usage = { ...promptUsage(read, 0), completionTokens: 0 };
    emit(started(usage, this.#facts.sampling));
    emit({ type: 'finish', reason: 'length', usage });
  }

  async #isWithin(job: GenerateJob, tokens: number): Promise<boolean> {
    const { prompt, images } = this.#prompts.prepare(job);
    // A prompt that is far too long needs no counting.
    if (isHopeless(prompt, tokens)) return false;
    const read = await this.model.tokenizer?.encode(prompt, images);
    return read === undefined || read.length <= tokens;
  }

  get #tokenizer(): Tokenizer {
    const { tokenizer } = this.model;
    if (tokenizer) return tokenizer;
    throw serverError('engine_error', 'This engine does not tell its tokens.');
  }

  /** @throws ApiError 400 for a prompt that is hopelessly long, and for ids of unknown tokens */
  async tokens({ model, of, tools, pieces }: TokensJob): Promise<TokensEvent> {
    const tokenizer = this.#tokenizer;
    const { contextLength } = this.#facts;
    if (of.kind === 'tokens') this.#tokens.checkIds(of.ids, 'tokens');
    const { text, images } =
      of.kind === 'tokens'
        ? { text: await tokenizer.decode(of.ids) }
        : this.#prompts.read(model, of, tools);
    this.#prompts.refuseHopeless(text);
    // Engines begin an empty prompt with a token of their own. The text has no tokens.
    const read = async () => (text === '' ? [] : tokenizer.encode(text, images));
    const ids = of.kind === 'tokens' ? of.ids : await read();
    return {
      type: 'tokens',
      ids,
      text: withoutKeys(text),
      contextLength,
      ...(pieces && { pieces: await tokenizer.pieces(ids) }),
    };
  }
}

/** The seed of a request without one. Engines would use the time, which differs little between two requests. */
function randomSeed(): number {
  const [seed = 0] = crypto.getRandomValues(new Uint32Array(1));
  return seed;
}
