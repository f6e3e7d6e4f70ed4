import type { LlamaModule } from '../../../../../models/llamacpp/module.ts';
import { EMBEDDED_TOKENS } from '../../../../core/files/gguf/gguf-memory.ts';
import type { EncodedText } from '../../../retrieval/encoded-text.ts';
import { ModuleCalls, WORD } from '../module-calls.ts';
import { ThreadChoice } from '../threads/thread-choice.ts';

/** Most texts of a batch. The tokens of a context must be a multiple of it. */
const MOST_TEXTS = 32;
/** Smaller batches are not measured: they take longer for each of their tokens. */
const MEASURED_TOKENS = EMBEDDED_TOKENS / 2;

interface Options {
  /** Paths of the model's files in the module, in order. */
  paths: readonly string[];
  /** Threads that the module has. */
  mostThreads: number;
  /** How many the site wants; undefined: the fastest number. */
  threads: number | undefined;
  /** Called after each batch: resolves when it is computed. Undefined: it is at once. */
  computed?: (context: number) => Promise<void>;
}

/** llama.cpp with a model that computes vectors or scores of texts. All methods throw LlamaError. */
export class LlamaTexts {
  readonly #module: LlamaModule;
  readonly #calls: ModuleCalls;
  readonly #wantedThreads: number | undefined;
  readonly #choice: ThreadChoice;
  readonly #computed: Options['computed'];
  #context: { number: number; tokens: number } | undefined;
  /** How many numbers each text gets. */
  readonly width: number;

  /** Loads the model. Only the headers of its files are read. */
  constructor(module: LlamaModule, { paths, mostThreads, threads, computed }: Options) {
    this.#module = module;
    this.#calls = new ModuleCalls(module);
    this.#wantedThreads = threads === undefined ? undefined : Math.min(threads, mostThreads);
    this.#choice = new ThreadChoice(mostThreads, 1);
    this.#computed = computed;
    this.#calls.loadModel(paths);
    this.width = this.#calls.check(module._lc_embedding_size());
  }

  /** The tokens of a text, special ones included. */
  ids(text: string): number[] {
    return this.#calls.withText(text, (pointer, bytes) =>
      this.#calls.ints((room, most) => this.#module._lc_tokenize_text(pointer, bytes, room, most)),
    );
  }

  /** The tokens of a question and a document, special ones included. */
  pair(query: string, document: string): number[] {
    return this.#calls.withText(query, (...first) =>
      this.#calls.withText(document, (...second) =>
        this.#calls.ints((...room) => this.#module._lc_tokenize_pair(...first, ...second, ...room)),
      ),
    );
  }

  isSpecial(token: number): boolean {
    return this.#module._lc_is_control(token) === 1;
  }

  /** Computes the numbers of each text. */
  async compute(texts: readonly EncodedText[]): Promise<Float32Array[]> {
    const results: Float32Array[] = [];
    for (let at = 0; at < texts.length; at += MOST_TEXTS) {
      results.push(...(await this.#computeBatch(texts.slice(at, at + MOST_TEXTS))));
    }
    return results;
  }

  async #computeBatch(texts: readonly EncodedText[]): Promise<Float32Array[]> {
    const tokens = texts.flatMap(({ ids }) => ids);
    const context = this.#contextFor(tokens.length);
    const threads = this.#wantedThreads ?? this.#choice.threads;
    this.#calls.check(this.#module._lc_set_threads(context, threads));
    const begun = performance.now();
    this.#embed(
      context,
      tokens,
      texts.map(({ ids }) => ids.length),
    );
    await this.#computed?.(context);
    const milliseconds = performance.now() - begun;
    if (tokens.length >= MEASURED_TOKENS) this.#choice.note(milliseconds / tokens.length);
    return texts.map((_, index) => this.#result(context, index));
  }

  #embed(context: number, tokens: readonly number[], lengths: readonly number[]): void {
    const { length: count } = lengths;
    this.#calls.withInts(tokens, (first) =>
      this.#calls.withInts(lengths, (second) =>
        this.#calls.check(this.#module._lc_embed(context, first, second, count)),
      ),
    );
  }

  #result(context: number, index: number): Float32Array {
    const pointer = this.#module._lc_embedding(context, index) >>> 0;
    if (pointer === 0) throw this.#calls.error('broken');
    return this.#module.HEAPF32.slice(pointer / WORD, pointer / WORD + this.width);
  }

  /** A context for this many tokens. It is reused until a batch needs a larger one. */
  #contextFor(tokens: number): number {
    if (this.#context && this.#context.tokens >= tokens) return this.#context.number;
    if (this.#context) this.#module._lc_free_context(this.#context.number);
    this.#context = undefined;
    let room = EMBEDDED_TOKENS;
    while (room < tokens) room *= 2;
    const number = this.#calls.check(this.#module._lc_new_embedder(room, MOST_TEXTS, 1));
    this.#context = { number, tokens: room };
    return number;
  }
}
