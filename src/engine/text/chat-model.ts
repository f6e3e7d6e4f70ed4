import {
  contextOverflow,
  jobFault,
  modelUnusable,
  promptFault,
} from '../../core/protocol/errors.ts';
import type { GenerateEvent } from '../../core/protocol/events.ts';
import type { GenerateJob, Sampling } from '../../core/protocol/jobs.ts';
import { watchdog } from '../scheduling/watchdog.ts';
import { ModelFileError } from '../weights/model-file-error.ts';
import type { ReadFile } from '../weights/read-file.ts';
import type { ChatFormat } from './chat-format.ts';
import { TemplateRefusal } from './chat-template.ts';
import { Continuation } from './continuation.ts';
import { ConstraintError, outputConstraint } from './output-constraint.ts';
import { OutputParser, type ParsedEvent } from './output-parser.ts';
import { opensThinking } from './reasoning-splitter.ts';
import type { Generation, TextModel } from './text-model.ts';
import { TokenAligner } from './token-aligner.ts';
import { toolUse, type ToolUse } from './tools/tool-use.ts';
import { Vocabulary } from './vocabulary.ts';

/** No vocabulary has longer tokens: runs of white space are the longest, up to 128. */
const MOST_CHARACTERS_PER_TOKEN = 128;

/** What a model's files say that its answers depend on. */
export interface ChatModelFacts {
  format: ChatFormat;
  /** Tokens. */
  contextLength: number;
  /** Tokens; undefined if the model's files do not say it. */
  vocabularySize: number | undefined;
  /** The model's own sampling defaults. */
  sampling: Sampling & { temperature: number };
}

/** A job as the model is asked it. */
interface Prepared {
  use: ToolUse;
  prompt: string;
}

/** A text model in memory, with what it takes to hold a conversation with it. */
export class ChatModel {
  /** The engine's model below. */
  readonly model: TextModel;
  readonly #facts: ChatModelFacts;
  readonly #read: ReadFile;
  /** Read when logprobs are first asked for: it takes memory, and most requests never ask. */
  #vocabulary: Promise<Vocabulary> | undefined;
  /** Prompts of waiting jobs: rendering takes a while. */
  readonly #prepared = new WeakMap<GenerateJob, Prepared>();

  /** @param read - gives the model's files */
  constructor(model: TextModel, facts: ChatModelFacts, read: ReadFile) {
    this.model = model;
    this.#facts = facts;
    this.#read = read;
  }

  /** Whether a KV cache already holds most of the job's prompt. */
  isWarm(job: GenerateJob): boolean {
    try {
      return this.model.isWarm(this.#prepare(job).prompt);
    } catch {
      // The job reports what is wrong with its prompt when its turn comes.
      return false;
    }
  }

  /** Generates the job's answers, one after the other. */
  async *generate(
    job: GenerateJob,
    signal: AbortSignal,
  ): AsyncGenerator<GenerateEvent, void, undefined> {
    const { use, prompt } = this.#prepare(job);
    this.#refuseHopeless(prompt);
    this.#refuseUnknownTokens(job.sampling);
    const seed = job.sampling.seed ?? randomSeed();
    for (let choice = 0; choice < (job.choices ?? 1); choice++) {
      yield* this.#answer(job, use, prompt, { seed, choice }, signal);
    }
  }

  /** One answer, split into what the model thinks and what it says. */
  async *#answer(
    job: GenerateJob,
    use: ToolUse,
    prompt: string,
    random: { seed: number; choice: number },
    signal: AbortSignal,
  ): AsyncGenerator<GenerateEvent, void, undefined> {
    const constraint = this.#constraint(job, use, prompt);
    const sampling = { ...this.#facts.sampling, ...use.sampling };
    const continued = new Continuation(job, sampling, constraint === undefined);
    const marks = job.prompt.kind === 'chat' ? this.#facts.format.marks : undefined;
    const parser = new OutputParser(job.stop, marks, prompt, use.newParser?.());
    const aligner = await this.#aligner(job);
    const events = (parsed: ParsedEvent[]) => aligner?.align(parsed) ?? parsed.map(withoutPlace);
    const generation: Generation = {
      sampling,
      random: { ...random, drawn: continued.tokens },
      maxTokens: job.maxTokens && job.maxTokens - continued.tokens,
      constraint,
      topLogprobs: job.topLogprobs,
    };
    if (continued.tokens > 0) yield { type: 'start' };
    for (const { checkpoint, text } of continued.past()) {
      yield* checkpoint;
      yield* events(parser.push(text));
    }
    const whole = prompt + continued.text;
    // Raw output is watched, not parsed events: the parser may rightly hold back text for minutes.
    for await (const event of watchdog(this.#raw(whole, generation, use, signal))) {
      if (event.type === 'text') {
        if (parser.output === '') yield { type: 'start' };
        const wasStopped = parser.stopped;
        yield* continued.checkpoint(event.text, event.count);
        aligner?.push(event.tokens);
        yield* events(parser.push(event.text));
        if (parser.stopped && !wasStopped) this.model.interrupt();
      } else {
        yield* events(parser.flush());
        yield* aligner?.finish() ?? [];
        const usage = { ...continued.usage(event.usage), ...parser.usage };
        yield { type: 'finish', reason: parser.finishReason(event.reason), usage };
      }
    }
  }

  /** The model's output, with a constraint that it cannot compile as a fault of the job. */
  async *#raw(prompt: string, generation: Generation, { newParser }: ToolUse, signal: AbortSignal) {
    try {
      yield* this.model.generate(prompt, generation, signal);
    } catch (error) {
      if (!(error instanceof ConstraintError)) throw error;
      const text = `gives a grammar that does not compile: ${error.message}`;
      throw jobFault(newParser ? 'tools' : 'format', text, { code: 'invalid_json_schema' });
    }
  }

  /**
   * Engines count a prompt's tokens before they read it. But tokenizing a prompt that is a thousand
   * times too long can exhaust stack or memory.
   */
  #refuseHopeless(prompt: string): void {
    const { contextLength } = this.#facts;
    if (prompt.length <= contextLength * MOST_CHARACTERS_PER_TOKEN) return;
    throw contextOverflow(`${contextLength} tokens; the prompt has ${prompt.length} characters`);
  }

  /** An engine could write such a bias to another token's logit, or nowhere. */
  #refuseUnknownTokens({ logitBias = {} }: Sampling): void {
    const { vocabularySize = Infinity } = this.#facts;
    const unknown = Object.keys(logitBias).find((id) => Number(id) >= vocabularySize);
    if (unknown === undefined) return;
    const text = `is no token of this model: its ids end at ${vocabularySize - 1}.`;
    throw jobFault('logit_bias', text, { path: `.${unknown}` });
  }

  async #aligner({ topLogprobs }: GenerateJob): Promise<TokenAligner | undefined> {
    if (topLogprobs === undefined) return undefined;
    this.#vocabulary ??= Vocabulary.read(this.#read);
    return new TokenAligner(await this.#vocabulary);
  }

  #constraint({ prompt: asked }: GenerateJob, { grammar }: ToolUse, prompt: string) {
    if (grammar === undefined) return undefined;
    // If the template was told to leave out the thinking, the grammar leaves it out as well.
    const thinks = asked.kind === 'chat' && asked.templateOptions['enable_thinking'] !== false;
    const marks = thinks ? this.#facts.format.marks : undefined;
    return outputConstraint(grammar, marks && { marks, opened: opensThinking(prompt, marks) });
  }

  #prepare(job: GenerateJob): Prepared {
    const known = this.#prepared.get(job);
    if (known) return known;
    const { family, tokenIds } = this.#facts.format;
    const use = toolUse(job, family, tokenIds);
    const prepared = { use, prompt: this.#promptText(job, use) };
    this.#prepared.set(job, prepared);
    return prepared;
  }

  #promptText({ model, prompt }: GenerateJob, { tools }: ToolUse): string {
    if (prompt.kind === 'raw') return prompt.text;
    try {
      return this.#facts.format.render(prompt.messages, prompt.templateOptions, tools);
    } catch (error) {
      throw templateError(error, model);
    }
  }
}

function templateError(error: unknown, model: string): unknown {
  if (error instanceof ModelFileError) return modelUnusable(model, error.fault);
  if (!(error instanceof TemplateRefusal)) return error;
  return promptFault(`The chat template of '${model}' refuses these messages: ${error.message}`);
}

/** For a request without a seed: engines would take the time, which is close to that of the last one. */
function randomSeed(): number {
  const [seed = 0] = crypto.getRandomValues(new Uint32Array(1));
  return seed;
}

function withoutPlace(event: ParsedEvent): GenerateEvent {
  return event.type === 'text' ? { type: 'text', text: event.text } : event;
}
