import {
  jobFault,
  promptTooLong,
  serverError,
  unsupportedValue,
} from '../../core/errors/errors.ts';
import type { GenerateEvent, ScoredPrompt, TokensEvent } from '../../core/operations/events.ts';
import type { GenerateJob, Sampling, TokensJob, WrittenPiece } from '../../core/operations/jobs.ts';
import { watchOutput } from '../scheduling/watchdog.ts';
import { counted, started, withoutPlace } from '../conversation/answer/answer-events.ts';
import { BoundedThinking } from '../conversation/answer/bounded-thinking.ts';
import type { ChatFormat } from '../conversation/prompt/chat-format.ts';
import { Continuation } from '../conversation/answer/continuation.ts';
import { fittingJob } from '../conversation/prompt/dropped-turns.ts';
import { isHopeless, JobPrompts, type Prepared } from '../conversation/prompt/job-prompts.ts';
import { KnownTokens } from '../conversation/prompt/known-tokens.ts';
import {
  ConstraintError,
  outputConstraint,
  type Thinking,
} from '../conversation/constraint/output-constraint.ts';
import { OutputParser, type ParsedEvent } from '../conversation/answer/output-parser.ts';
import { scorePrompt } from '../conversation/sampling/prompt-score.ts';
import {
  promptUsage,
  withoutKeys,
  type PromptImages,
} from '../conversation/prompt/prompt-images.ts';
import type { ReadingTurns } from './reading-turns.ts';
import type {
  EmitRaw,
  Generation,
  RawEvent,
  TextModel,
  Tokenizer,
} from '../conversation/text-model.ts';
import type { ThinkingPlace } from '../conversation/answer/reasoning-splitter.ts';
import { TokenAligner } from '../conversation/answer/token-aligner.ts';
import type { ToolUse } from '../conversation/tools/tool-use.ts';
import type { TokenBytes } from '../conversation/answer/vocabulary.ts';

type Emit = (event: GenerateEvent) => void;

/** Facts from a model's files that its answers depend on. */
export interface ChatModelFacts {
  format: ChatFormat;
  /** Texts of the control tokens that answers do not show, by id. */
  hidden: ReadonlyMap<number, string>;
  /** Tokens. */
  contextLength: number;
  /** Tokens; undefined if the model's files do not say it. */
  vocabularySize: number | undefined;
  /** The model's own sampling defaults. */
  sampling: Sampling & { temperature: number };
}

/** A text model in memory, with its chat format, prompts and vocabulary. */
export class ChatModel {
  /** The engine's model, which this one builds on. */
  readonly model: TextModel;
  readonly #facts: ChatModelFacts;
  readonly #tokens: KnownTokens;
  readonly #readVocabulary: () => Promise<TokenBytes>;
  /** Read when logprobs are first asked for: it takes memory, and most requests never ask. */
  #vocabulary: Promise<TokenBytes> | undefined;
  readonly #prompts: JobPrompts;

  constructor(model: TextModel, facts: ChatModelFacts, readVocabulary: () => Promise<TokenBytes>) {
    this.model = model;
    this.#facts = facts;
    this.#tokens = new KnownTokens(facts.vocabularySize);
    this.#prompts = new JobPrompts({ ...facts, sees: model.sees === true });
    this.#readVocabulary = readVocabulary;
  }

  /** Whether a KV cache already holds most of the job's prompt. */
  isWarm(job: GenerateJob): boolean {
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
    const seed = job.sampling.seed ?? randomSeed();
    for (let choice = 0; choice < (job.choices ?? 1); choice++) {
      if (job.maxTokens === 0) await this.#readOnly(prepared, emit);
      else {
        // The next turn begins this method again, so nothing may have been sent before.
        const isFirst = choice === 0 && job.scoresPrompt !== true;
        const divided = isFirst ? turns : undefined;
        await this.#answer(job, prepared, { seed, choice }, signal, emit, divided);
      }
      if (turns?.needsAnother) return;
    }
  }

  async #score(job: GenerateJob, signal: AbortSignal): Promise<ScoredPrompt> {
    const { model } = this;
    const { prompt, images } = this.#prompts.prepare(job);
    const [image] = images.values();
    if (image) throw unsupportedValue('Prompts with images have no probabilities.', image.field);
    const { contextLength } = this.#facts;
    const parts = { model, tokenizer: this.#tokenizer, vocabulary: await this.#bytes() };
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

  /** Generates one answer, split into reasoning, text and calls. */
  async #answer(
    job: GenerateJob,
    { use, prompt, images, thinking: begin }: Prepared,
    random: { seed: number; choice: number },
    signal: AbortSignal,
    emit: Emit,
    turns?: ReadingTurns,
  ): Promise<void> {
    const thinking = this.#thinking(job, begin);
    const sampling = { ...this.#facts.sampling, ...use.sampling };
    const continued = new Continuation(job, sampling, use.grammar === undefined);
    const marks = job.prompt.kind === 'chat' ? this.#facts.format.marks : undefined;
    const parser = new OutputParser({
      stop: job.stop,
      minTokens: job.ending?.minTokens,
      marks,
      thinking: begin,
      calls: use.newParser?.(),
    });
    const hidden = job.showsControlTokens ? undefined : this.#facts.hidden;
    const aligner = await this.#aligner(job, hidden);
    const aligned = (parsed: ParsedEvent[]) => aligner?.align(parsed) ?? parsed.map(withoutPlace);
    let tokens = 0;
    const tell = (parsed: ParsedEvent[]) => {
      for (const each of aligned(parsed)) emit(job.countsTokens ? counted(each, tokens) : each);
    };
    const generation: Generation = {
      sampling,
      images,
      random: { ...random, drawn: continued.tokens },
      maxTokens: job.maxTokens && job.maxTokens - continued.tokens,
      constraint: use.grammar === undefined ? undefined : outputConstraint(use.grammar, thinking),
      topLogprobs: job.topLogprobs,
      ending: job.ending,
      hidden,
    };
    let isStarted = continued.tokens > 0;
    if (isStarted) emit({ type: 'start' });
    for (const { checkpoint, text, tokens: count } of continued.past()) {
      tokens = count;
      checkpoint.forEach(emit);
      tell(parser.push(text, count));
    }
    const take = (event: RawEvent) => {
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
          if (parser.stopped && !wasStopped) this.model.interrupt();
          break;
        }
        case 'finish': {
          tell(parser.flush(event.reason === 'length'));
          aligner?.finish().forEach(emit);
          const usage = { ...continued.usage(event.usage), ...parser.usage };
          emit({ type: 'finish', ...parser.end(event.reason), usage });
        }
      }
    };
    const write = (ending: AbortSignal, written: EmitRaw) =>
      this.#bounded(
        job,
        { use, prompt, images, thinking: begin },
        continued,
        generation,
        ending,
        written,
      );
    const isDivisible = this.model.keepsReading === true && continued.tokens === 0;
    // Raw output is watched, not parsed events: the parser may rightly hold back text for minutes.
    await watchOutput((onOutput) => {
      const written = (event: RawEvent) => {
        onOutput();
        take(event);
      };
      return isDivisible && turns ? turns.turn(write, signal, written) : write(signal, written);
    });
  }

  /** Generates output. The thinking is limited if the job says so, or if the answer must hold a call or JSON. */
  async #bounded(
    job: GenerateJob,
    { use, prompt, thinking: begin }: Prepared,
    past: WrittenPiece,
    generation: Generation,
    signal: AbortSignal,
    emit: EmitRaw,
  ): Promise<void> {
    const generate = (text: string, options: Generation, written: EmitRaw) =>
      this.#raw(text, options, use, signal, written);
    const marks = this.#thinking(job, begin)?.marks;
    const limit = marks && (await this.#thinkingLimit(job, prompt, generation.images));
    if (!marks || limit === undefined) return generate(prompt + past.text, generation, emit);
    const constraint = use.grammar === undefined ? undefined : outputConstraint(use.grammar);
    const bound = { marks, begin, limit, constraint };
    await new BoundedThinking(generate, this.model, bound).run(prompt, past, generation, emit);
  }

  /** Limit of the thinking, tokens; undefined: none. If a call or JSON must follow, half of the room is left for it. */
  async #thinkingLimit(
    job: GenerateJob,
    prompt: string,
    images: PromptImages | undefined,
  ): Promise<number | undefined> {
    const { maxTokens = Infinity, maxThinkingTokens = Infinity, format, tools } = job;
    const mustCall = tools !== undefined && tools.choice !== 'auto' && tools.choice !== 'none';
    if (format === undefined && !mustCall) return job.maxThinkingTokens;
    const read = await this.model.tokenizer?.encode(prompt, images);
    const room = Math.min(maxTokens, this.#facts.contextLength - (read?.length ?? 0));
    return Math.min(maxThinkingTokens, Math.max(1, Math.floor(room / 2)));
  }

  /** Generates raw output. A constraint that the model cannot compile is a fault of the job. */
  async #raw(
    prompt: string,
    generation: Generation,
    { newParser }: ToolUse,
    signal: AbortSignal,
    emit: EmitRaw,
  ): Promise<void> {
    try {
      await this.model.generate(prompt, generation, signal, emit);
    } catch (error) {
      if (!(error instanceof ConstraintError)) throw error;
      const text = `gives a grammar that does not compile: ${error.message}`;
      throw jobFault(newParser ? 'tools' : 'format', text, { code: 'invalid_json_schema' });
    }
  }

  async #aligner(
    { topLogprobs }: GenerateJob,
    hidden: ReadonlyMap<number, string> | undefined,
  ): Promise<TokenAligner | undefined> {
    return topLogprobs === undefined ? undefined : new TokenAligner(await this.#bytes(), hidden);
  }

  #bytes(): Promise<TokenBytes> {
    this.#vocabulary ??= this.#readVocabulary();
    // After a failure it is read again.
    this.#vocabulary.catch(() => (this.#vocabulary = undefined));
    return this.#vocabulary;
  }

  /** How the model may think before it answers; undefined: not at all. */
  #thinking({ prompt: asked }: GenerateJob, begin: ThinkingPlace): Thinking | undefined {
    // If the template was told to leave out the thinking, the grammar leaves it out as well.
    const thinks = asked.kind === 'chat' && asked.templateOptions['enable_thinking'] !== false;
    const marks = thinks ? this.#facts.format.marks : undefined;
    return marks && { marks, opened: begin !== 'before' };
  }
}

/** The seed of a request without one. Engines would use the time, which differs little between two requests. */
function randomSeed(): number {
  const [seed = 0] = crypto.getRandomValues(new Uint32Array(1));
  return seed;
}
