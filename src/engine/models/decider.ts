import { ApiError, serverError, unsupportedValue } from '../../core/errors/errors.ts';
import { totalWrites } from '../../core/operations/prompt-caching.ts';
import type { PromptUsage } from '../../core/operations/events/events.ts';
import type { DecideJob, Decision, TemplateMessage } from '../../core/operations/jobs/jobs.ts';
import { commonLength } from '../../core/text/common-length.ts';
import type { TokenBytes } from '../conversation/answer/vocabulary.ts';
import { answerChances } from '../conversation/decisions/answer-chances.ts';
import {
  answerNames,
  askedQuestion,
  quotedInput,
} from '../conversation/decisions/question-text.ts';
import { TokenIndex } from '../conversation/decisions/token-index.ts';
import type { JobPrompts } from '../conversation/prompt/job-prompts.ts';
import type { PromptImages } from '../conversation/prompt/prompt-images.ts';
import type { SampledToken } from '../conversation/sampling/sampler.ts';
import type {
  Caching,
  EmitRaw,
  Generation,
  RawEvent,
  TextModel,
  Tokenizer,
} from '../conversation/text-model.ts';
import { watchOutput } from '../scheduling/watchdog.ts';
import type { ChatModelFacts } from './chat-model-facts.ts';
import type { RequestCaching } from './request-caching.ts';
import { ReadingTurns } from './reading-turns.ts';

/** How long questions are read before other requests may take a turn, milliseconds. */
const TURN_MS = 1_000;

/** The input goes on to be read in another turn. */
const INTERRUPTED = new Error('The reading goes on in another turn.');

/** One reading of a question. */
interface Reading {
  /** Place of the question in the job. */
  question: number;
  /** The question alone. */
  text: string;
  prompt: string;
  images: PromptImages;
  caching: Caching;
  answers: string[][];
}

/** The decisions of one job: which of its questions have been read, over several turns. */
export class Deciding {
  readonly #isWanted: () => boolean;
  readonly #turnMs: number;
  readonly done: { question: number; decision: Decision; usage: PromptUsage }[] = [];
  plan: { readings: Reading[]; shared: number } | undefined;
  /** The turns of the reading that has begun: the input may be long. */
  reading: ReadingTurns | undefined;
  #begun = 0;
  #makesWay = false;

  /**
   * @param isWanted - whether a request waits that may take its turn now
   * @param turnMs - how long questions are read before such a request may
   */
  constructor(isWanted: () => boolean, turnMs = TURN_MS) {
    this.#isWanted = isWanted;
    this.#turnMs = turnMs;
  }

  /** Whether the job needs another turn. */
  get needsAnother(): boolean {
    return this.#makesWay || this.reading?.needsAnother === true;
  }

  begin(): void {
    this.#begun = performance.now();
    this.#makesWay = false;
  }

  /** Whether other requests should take their turn before the next reading. */
  makesWay(): boolean {
    this.#makesWay = performance.now() - this.#begun >= this.#turnMs && this.#isWanted();
    return this.#makesWay;
  }

  /** The turns of a reading: those that it has had, or new ones. */
  turns(): ReadingTurns {
    this.reading ??= new ReadingTurns(this.#isWanted);
    return this.reading;
  }

  note(read: { question: number; decision: Decision; usage: PromptUsage }): void {
    this.done.push(read);
    this.reading = undefined;
  }
}

interface DeciderParts {
  model: TextModel;
  facts: ChatModelFacts;
  prompts: JobPrompts;
  tokenizer: Tokenizer;
  vocabulary: TokenBytes;
  caching: RequestCaching;
}

/** Computes how likely a text model's answers to questions are. It writes nothing. */
export class Decider {
  readonly #parts: DeciderParts;
  readonly #index: TokenIndex;

  constructor(parts: DeciderParts) {
    this.#parts = parts;
    const { vocabularySize, hidden, stopTokenIds } = parts.facts;
    if (vocabularySize === undefined)
      throw serverError('engine_error', 'The model has no known vocabulary.');
    const { withoutCalls } = hidden;
    this.#index = new TokenIndex(
      parts.vocabulary,
      vocabularySize,
      (id) => !withoutCalls.has(id) && !stopTokenIds.includes(id),
    );
  }

  /**
   * Reads the questions of a job, each from where the input ends.
   *
   * @returns undefined if the job needs another turn
   * @throws ApiError 400 context_length_exceeded; unsupported_value for a model that always thinks
   */
  async decide(
    job: DecideJob,
    deciding: Deciding,
    signal: AbortSignal,
  ): Promise<{ decisions: Decision[]; usage: PromptUsage } | undefined> {
    deciding.begin();
    const begun = deciding.done.length;
    deciding.plan ??= await this.#plan(job);
    const { done, plan } = deciding;
    const { readings, shared } = plan;
    for (const reading of readings.slice(done.length)) {
      signal.throwIfAborted();
      if (done.length > begun && deciding.makesWay()) return undefined;
      const read = await this.#read(reading, shared, deciding.turns(), signal).catch(
        async (error: unknown) => {
          if (error === INTERRUPTED) return undefined;
          throw await this.#blamed(error, reading);
        },
      );
      if (!read) return undefined;
      deciding.note({ question: reading.question, ...read });
    }
    return { decisions: meansOf(job, done), usage: usageOf(done.map(({ usage }) => usage)) };
  }

  /** If a question alone is too long for the context, the error says so. */
  async #blamed(error: unknown, { question, text }: Reading): Promise<unknown> {
    const isTooLong = error instanceof ApiError && error.data.code === 'context_length_exceeded';
    if (!isTooLong) return error;
    const { length } = await this.#parts.tokenizer.encode(text);
    if (length < this.#parts.facts.contextLength) return error;
    return new ApiError({ ...error.data, fault: { part: 'questions', path: `[${question}]` } });
  }

  /** What is read for a job, and how many characters all of it begins with. */
  async #plan(job: DecideJob) {
    const { model, prompt, questions, orders } = job;
    const { prompts, tokenizer } = this.#parts;
    const { messages, ...rest } = prompt;
    const [input, ...instructions] = messages;
    const own = (await tokenizer.encode('')).length;
    const countTokens = async (text: string) => (await tokenizer.encode(text)).length - own;
    const readings: Reading[] = [];
    for (const [at, question] of questions.entries()) {
      const asked = instructions[at];
      if (!input || !asked) throw new Error('A question of the job has no instructions.');
      const names = await answerNames(question, countTokens);
      for (let order = 0; order < orders; order++) {
        const { text, answers } = askedQuestion(question, names, asked.content, order === 1);
        const user: TemplateMessage = {
          role: 'user',
          content: quotedInput(input.content) + text,
          images: [...(input.images ?? []), ...(asked.images ?? [])],
        };
        const chat: TemplateMessage[] = [user, { role: 'assistant', content: '' }];
        const read = prompts.read(
          model,
          { ...rest, messages: chat, templateOptions: OFF, continuesFinal: true },
          undefined,
        );
        if (read.mayThink) throw alwaysThinks(model);
        prompts.refuseHopeless(read.text);
        readings.push({
          question: at,
          text,
          prompt: read.text,
          images: read.images,
          caching: this.#parts.caching.of(job, read.breakpoints),
          answers,
        });
      }
    }
    return { readings, shared: sharedLength(readings) };
  }

  /** Reads a question. @throws INTERRUPTED if this turn ended before the input was read */
  async #read(
    { prompt, images, caching, answers }: Reading,
    shared: number,
    turns: ReadingTurns,
    signal: AbortSignal,
  ) {
    const { model, facts } = this.#parts;
    let usage: PromptUsage | undefined;
    const read = async (path: readonly number[], ids: readonly number[]) => {
      const [first = 0] = ids;
      const generation: Generation = {
        sampling: { temperature: 0 },
        random: { seed: 0, choice: 0, drawn: 0 },
        images,
        maxTokens: path.length + 1,
        // The last token does not matter: its probabilities are computed before it.
        forced: [...path, first],
        topLogprobs: 0,
        asked: ids,
        shared,
        caching,
      };
      const sampled: SampledToken[] = [];
      const generate = (ending: AbortSignal, emit: EmitRaw) =>
        model.generate(prompt, generation, ending, emit);
      await watchOutput((onOutput) => {
        const take = (event: RawEvent) => {
          onOutput();
          if (event.type === 'text') sampled.push(...event.tokens);
          if (event.type === 'finish') usage ??= event.usage;
        };
        const isDivisible = path.length === 0 && model.keepsReading === true;
        return isDivisible ? turns.turn(generate, signal, take) : generate(signal, take);
      });
      if (turns.needsAnother) throw INTERRUPTED;
      const chances = sampled[path.length]?.asked;
      if (!chances) throw serverError('engine_error', 'The engine has not read the question.');
      return chances;
    };
    const { stopTokenIds: endTokenIds } = facts;
    const decision = await answerChances({ index: this.#index, endTokenIds, read }, answers);
    return { decision, usage: usage ?? { promptTokens: 0, cachedTokens: 0 } };
  }
}

const OFF = { enable_thinking: false };

function alwaysThinks(model: string) {
  const message = `The model '${model}' thinks before each answer, so its answers cannot be computed.`;
  return unsupportedValue(message, 'model');
}

/** How many characters all prompts begin with. */
function sharedLength([first, ...others]: readonly Reading[]): number {
  const { prompt = '' } = first ?? {};
  return Math.min(prompt.length, ...others.map((other) => commonLength(prompt, other.prompt)));
}

/** For each question, the mean of its readings. */
function meansOf(
  { questions }: DecideJob,
  done: readonly { question: number; decision: Decision }[],
): Decision[] {
  return questions.map((_question, at) => {
    const readings = done.filter(({ question }) => question === at).map(({ decision }) => decision);
    const mean = (value: (decision: Decision) => number) =>
      readings.reduce((sum, each) => sum + value(each), 0) / readings.length;
    const [first] = readings;
    return {
      probabilities: (first?.probabilities ?? []).map((_probability, option) =>
        mean(({ probabilities }) => probabilities[option] ?? 0),
      ),
      coverage: mean(({ coverage }) => coverage),
    };
  });
}

/** The beginning that the readings share was read once; each question was read as often as there are readings of it. */
function usageOf(usages: readonly PromptUsage[]): PromptUsage {
  const [first, ...others] = usages;
  if (!first) return { promptTokens: 0, cachedTokens: 0 };
  const rest = others.reduce(
    (sum, { promptTokens, cachedTokens }) => sum + promptTokens - cachedTokens,
    0,
  );
  const { imageTokens } = first;
  return {
    promptTokens: first.promptTokens + rest,
    cachedTokens: first.cachedTokens,
    ...totalWrites(usages.map(({ cacheWrites }) => cacheWrites)),
    ...(imageTokens !== undefined && { imageTokens }),
  };
}
