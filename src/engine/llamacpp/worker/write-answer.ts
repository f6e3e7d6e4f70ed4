import { serverError } from '../../../core/errors/errors.ts';
import type {
  FinishReason,
  PromptProgress,
  PromptUsage,
} from '../../../core/operations/events/events.ts';
import { totalWrites } from '../../../core/operations/prompt-caching.ts';
import { drawToken } from '../../conversation/sampling/draw-token.ts';
import { NO_IMAGES, promptUsage } from '../../conversation/prompt/prompt-images.ts';
import { RandomNumbers } from '../../conversation/sampling/random-numbers.ts';
import { Sampler } from '../../conversation/sampling/sampler.ts';
import type { RawFinish } from '../../conversation/text-model.ts';
import type { SharedBatches } from './batches/shared-batches.ts';
import type { Slices } from './batches/slices.ts';
import type { Costs } from './drafts/batch-costs.ts';
import { Drafter } from './drafts/drafter.ts';
import { draftSources } from './drafts/draft-sources.ts';
import type { GrammarMasks, GrammarMatcher } from './grammar-masks.ts';
import { beginningsOf, keptPlaces, keptStops } from './kept/kept-places.ts';
import type { KeptStates } from './kept/kept-states.ts';
import type { KvContexts, Prefill } from './kv-contexts.ts';
import type { ImageTokens } from './prompts/image-tokens.ts';
import type { Llama } from './llama.ts';
import type { Generate, WrittenText } from '../messages.ts';
import { OutputText } from './output-text.ts';
import { fittingPrompt } from './prompts/prompt-tokens.ts';
import { PromptReader, type ReadingModel } from './prompts/read-prompt.ts';

/** The parts of a loaded model that generations use. */
export interface OpenModel extends ReadingModel {
  llama: ReadingModel['llama'] &
    Pick<Llama, 'bytes' | 'tokenize' | 'logits' | 'firstToken' | 'stopTokenIds'>;
  images: ReadingModel['images'] & Pick<ImageTokens, 'read' | 'during' | 'wholeLength'>;
  contexts: Pick<KvContexts, 'start' | 'tokens' | 'freed'>;
  masks: Pick<GrammarMasks, 'matcher'>;
  /** Prompts on disk; undefined: there are none. */
  states?: Pick<KeptStates, 'begin' | 'keep'> | undefined;
  /** Tokens. */
  contextLength: number;
  /** How many tokens may be computed before it is certain that they are written. */
  mostDrafted: number;
  /** What drafts cost. */
  costs: Costs;
  batches: SharedBatches;
  stripsFirstSpace: boolean;
}

/** The stop flag and the callbacks of a running generation. */
export interface Run {
  /** Set when the generation is to end. */
  isStopped: boolean;
  onProgress: (prompt: PromptProgress) => void;
  onText: (piece: WrittenText) => void;
  /** Waits for a turn of the worker's event loop, in which `isStopped` may be set. */
  turn: () => Promise<void>;
}

/**
 * Generates one answer.
 *
 * @throws ApiError 400 context_length_exceeded; ConstraintError; LlamaError
 */
export function writeAnswer(model: OpenModel, request: Generate, run: Run): Promise<RawFinish> {
  // A function, because few conversations have images: without images, no tokens are searched.
  return model.images.during(
    request.generation.images ?? NO_IMAGES,
    () => model.contexts.tokens,
    () => write(model, request, run),
  );
}

async function write(model: OpenModel, request: Generate, run: Run): Promise<RawFinish> {
  const { constraint, images = NO_IMAGES, shared, caching } = request.generation;
  const prompt = await fittingPrompt(model, request.prompt, images);
  const matcher = constraint && (await model.masks.matcher(constraint));
  try {
    const tokens = [...prompt, ...request.written];
    const { mayAddCache: mayAdd, mayGrowSnapshots: mayGrow } = request;
    const beginnings = await beginningsOf(model, request, images);
    const reuse = { mayAdd, mayGrow, shared, caching };
    let freed = Promise.resolve();
    const begin = async (slices: Slices) => {
      freed = model.contexts.freed;
      const prefill = await model.contexts.start(request.prompt, tokens, reuse);
      if (!prefill) return undefined;
      return orEnded(prefill, async () => {
        const places = keptPlaces(model, beginnings, prefill.tokens);
        if (caching) await model.states?.begin(prefill, caching, places);
        const stops = keptStops(model.states, places, prefill, caching?.disk);
        const reader = new PromptReader(model, { ...prefill, images, stops, slices }, run);
        const answer = new Answer(model, request, prefill, reader, matcher);
        await answer.begin(run);
        return answer;
      });
    };
    let answer: Answer | undefined;
    while (!(answer = await model.batches.reading(begin))) await freed;
    return await answer.write(run);
  } finally {
    matcher?.dispose();
  }
}

/** Does a part of an answer. If it fails, its KV cache is free, and what it holds is unknown. */
async function orEnded<T>(prefill: Prefill, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    prefill.end(undefined);
    throw error;
  }
}

const NOTHING: ReadonlyMap<number, string> = new Map();
const NO_BYTES = new Uint8Array();

/** One answer while it is written. */
class Answer {
  readonly #model: OpenModel;
  readonly #request: Generate;
  readonly #prefill: Prefill;
  readonly #reader: PromptReader;
  readonly #matcher: GrammarMatcher | undefined;
  readonly #sampler: Sampler;
  readonly #random: RandomNumbers;
  readonly #output: OutputText;
  readonly #hidden: ReadonlyMap<number, string>;
  /** The tokens in the KV cache, once the prompt is read. */
  #held: number[] = [];
  /** The KV cache has the tokens that it has drafted after `#held`. */
  readonly #drafter: Drafter;
  /** Tokens of the answer so far, with the one that ends the turn. */
  #count: number;

  constructor(
    model: OpenModel,
    request: Generate,
    prefill: Prefill,
    reader: PromptReader,
    matcher: GrammarMatcher | undefined,
  ) {
    const { written, generation } = request;
    const { random } = generation;
    this.#model = model;
    this.#request = request;
    this.#prefill = prefill;
    this.#reader = reader;
    this.#matcher = matcher;
    this.#sampler = new Sampler({ ...generation, endTokenIds: model.llama.stopTokenIds });
    this.#hidden = generation.hidden ?? NOTHING;
    this.#random = new RandomNumbers({ ...random, drawn: random.drawn + written.length });
    this.#output = new OutputText(model.stripsFirstSpace && random.drawn === 0);
    const prompt = prefill.tokens.length - written.length;
    const { stopTokenIds } = model.llama;
    const sources =
      model.mostDrafted > 0 ? draftSources(model.llama, matcher, generation.prediction) : [];
    const options = { sources, costs: model.costs, matcher, stopTokenIds };
    this.#drafter = new Drafter(prefill.tokens, prompt, options);
    this.#count = written.length;
  }

  /** Reads the prompt. */
  async begin(run: Run): Promise<void> {
    this.#takeUp();
    await this.#read(run);
  }

  write(run: Run): Promise<RawFinish> {
    return orEnded(this.#prefill, async () => {
      const reason = await this.#model.batches.writing(() => this.#writeTokens(run));
      const last = this.#output.flush();
      if (last) run.onText(last);
      const output = reason === 'end' ? this.#output.text : undefined;
      this.#prefill.end({ tokens: this.#held, output });
      return this.#finish(reason === 'length' ? 'length' : 'stop');
    });
  }

  /** Restores the state that another worker had reached. */
  #takeUp(): void {
    for (const token of this.#request.written) {
      this.#sampler.processSampledToken(token);
      this.#matcher?.accept(token);
      this.#output.push(token, this.#bytes(token), []);
    }
  }

  async #read(run: Run): Promise<void> {
    const { promptTokens: most } = this.#usage;
    await this.#reader.read((tokens) => {
      run.onProgress({ ...this.#usage, readTokens: Math.min(tokens, most) });
    });
    this.#held = this.#prefill.tokens.slice(0, this.#reader.held);
  }

  async #writeTokens(run: Run): Promise<'end' | 'length' | 'stopped'> {
    const { maxTokens = Infinity } = this.#request.generation;
    const { contextLength, llama } = this.#model;
    /** How many fewer positions than tokens the images take. */
    const shift = this.#held.length - this.#reader.position;
    while (!run.isStopped && this.#count < maxTokens) {
      const { isForced } = this.#sampler;
      const token = await this.#sample();
      if (token === undefined) return 'stopped';
      this.#count++;
      if (!isForced && llama.stopTokenIds.includes(token)) return 'end';
      if (this.#sampler.isEnded) return 'stopped';
      const piece = this.#output.push(token, this.#bytes(token), this.#sampler.takeSampled());
      if (piece) run.onText(piece);
      // The last token is not in the KV cache, but it counts as part of the context.
      if (this.#count >= maxTokens || this.#held.length + 1 >= contextLength) return 'length';
      await run.turn();
      if (run.isStopped) break;
      await this.#hold(token, this.#held.length - shift);
    }
    return run.isStopped ? 'stopped' : 'length';
  }

  /** Makes the KV cache hold the token, and the logits those after it. What was drafted in its place is removed. */
  async #hold(token: number, position: number): Promise<void> {
    if (!this.#drafter.take(token)) {
      const { batches } = this.#model;
      const { context } = this.#prefill;
      const drafted = this.#drafter.draft(this.#mostDrafted, batches.writers - 1);
      const isWhole = await batches.compute({ context, tokens: [token, ...drafted], position });
      if (!isWhole) this.#drafter.drop();
    }
    this.#held.push(token);
  }

  get #mostDrafted(): number {
    const { mostDrafted, contextLength, decoder, batches } = this.#model;
    const { maxTokens = Infinity } = this.#request.generation;
    const held = this.#held.length;
    const room = Math.min(maxTokens - this.#count, contextLength - held) - 1;
    return Math.min(mostDrafted, room, decoder.mostAhead(held, batches.writers));
  }

  /** @returns undefined if the grammar leaves no token of this vocabulary */
  async #sample(): Promise<number | undefined> {
    const { sampling } = this.#request.generation;
    const mask = await this.#matcher?.mask();
    // Only now: while the mask was awaited, another answer may have let the module's memory grow, which ends views of it.
    const logits = this.#model.llama.logits(this.#prefill.context, this.#drafter.computed);
    if (mask) {
      if (this.#sampler.wantsRaw) this.#sampler.observe(logits.slice());
      mask(logits);
    }
    this.#sampler.processLogits(logits);
    const token = drawToken(logits, sampling, this.#random.next());
    if (token === undefined) {
      if (!logits.some(Number.isNaN)) return undefined;
      throw serverError('engine_error', 'The model computed no possible next token.');
    }
    this.#sampler.processSampledToken(token);
    this.#matcher?.accept(token);
    return token;
  }

  #bytes(token: number): Uint8Array {
    return this.#hidden.has(token) ? NO_BYTES : this.#model.llama.bytes(token);
  }

  get #usage(): PromptUsage {
    const { tokens, kept, writes } = this.#prefill;
    const prompt = tokens.slice(0, tokens.length - this.#request.written.length);
    return { ...promptUsage(prompt, Math.min(kept, prompt.length)), ...totalWrites([writes]) };
  }

  #finish(reason: FinishReason): RawFinish {
    const { drafts } = this.#drafter;
    const usage = { ...this.#usage, completionTokens: this.#count, ...(drafts && { drafts }) };
    return { type: 'finish', reason, usage };
  }
}
