import { BATCH_TOKENS } from '../../../../src/core/files/gguf/gguf-memory.ts';
import type { PromptImage } from '../../../../src/core/operations/jobs/jobs.ts';
import type { DecodedImage } from '../../../../src/engine/images/decode-image.ts';
import { ImageTokens } from '../../../../src/engine/llamacpp/worker/prompts/image-tokens.ts';
import { MOST_OUTPUTS } from '../../../../src/engine/llamacpp/worker/llama.ts';
import { LlamaError } from '../../../../src/engine/llamacpp/worker/llama-error.ts';
import type { Batch } from '../../../../src/engine/llamacpp/worker/batches/batch.ts';

/** The token that ends a turn; the others are bytes. */
export const STOP = 256;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A text as tokens; `|` ends a turn. */
export function encode(text: string): number[] {
  return Array.from(encoder.encode(text), (byte) => (byte === 0x7c ? STOP : byte));
}

export function decode(tokens: readonly number[]): string {
  return decoder.decode(Uint8Array.from(tokens, (token) => (token === STOP ? 0x7c : token)));
}

/** Tokens of a piece of an image; each image has two. */
export const PIECE = 40;
/** Steps in which a piece is encoded. */
export const STEPS = 3;

/** Stands in for decodeImage: every file is a picture of one pixel. */
export function decodeFake(image: PromptImage): Promise<DecodedImage> {
  return Promise.resolve({ width: 1, height: 1, rgb: Uint8Array.from(image.file.slice(0, 3)) });
}

/** The tokens of prompts with images. */
export function imageTokens(llama: FakeLlama): ImageTokens {
  return new ImageTokens(llama, decodeFake);
}

/** Acts like llama.cpp with a model whose tokens are bytes, and that writes what a test says. */
export class FakeLlama {
  firstToken: number | undefined;
  readonly stopTokenIds: readonly number[] = [STOP];
  readonly vocabularySize = STOP + 1;
  /** What each context's KV cache holds; undefined: the context was never made. */
  readonly contexts: number[][] = [];
  /** All batches that were computed, in order. */
  readonly batches: string[] = [];
  readonly copies: [from: number, to: number][] = [];
  /** How many contexts there is memory for. */
  room = Infinity;
  /** Whether KV caches can be truncated. */
  canKeep = true;
  goesBack = true;
  canCopy = true;
  /** The logits after these tokens. By default `output` is written. */
  think: (held: readonly number[]) => Float32Array = (held) => this.#scripted(held);
  /** Images that were made and are not freed, by number. True: the image has its pixels. */
  readonly images = new Map<number, boolean>();
  readonly piecesAreWhole = false;
  readonly batchSize = BATCH_TOKENS;
  /** What the model writes after each prompt. */
  output = 'hi|';
  #prompt = 0;
  /** Steps until the image is encoded. */
  #steps = 0;

  tokenize(text: string): number[] {
    return encode(text);
  }

  bytes(token: number): Uint8Array {
    return token === STOP ? encoder.encode('|') : Uint8Array.of(token);
  }

  newContext(): number {
    if (this.contexts.length >= this.room) throw new LlamaError('no_memory', 'No memory.');
    return this.contexts.push([]) - 1;
  }

  freeContext(context: number): void {
    this.#held(context);
    this.contexts[context] = [];
  }

  contextBytes(): number {
    return 1000;
  }

  decode(context: number, tokens: readonly number[], position: number, outputs: number): void {
    const held = this.#held(context);
    if (position > held.length) throw new LlamaError('failed', 'There is a gap.');
    held.length = position;
    held.push(...tokens);
    this.batches.push(decode(tokens));
    // Only a draft has several.
    if (outputs === 1 && tokens.length > 1) this.#prompt = held.length;
  }

  mostAhead(): number {
    return MOST_OUTPUTS - 1;
  }

  decodeTogether(batches: readonly Batch[]): boolean {
    for (const { context, tokens, position } of batches) {
      this.decode(context, tokens, position, tokens.length);
    }
    return true;
  }

  newImage(_size: unknown, rgb: Uint8Array | undefined): number {
    const image = this.images.size;
    this.images.set(image, rgb !== undefined);
    return image;
  }

  freeImage(image: number): void {
    this.images.delete(image);
  }

  imageLayout(): number[] {
    return [...encode('['), -PIECE, PIECE, ...encode(','), -PIECE, PIECE, ...encode(']')];
  }

  beginEncoding(image: number): number {
    if (!this.images.get(image)) throw new LlamaError('failed', 'The image has no pixels.');
    this.#steps = STEPS;
    return STEPS;
  }

  encode(): number {
    return --this.#steps;
  }

  decodeImage(context: number, first: number, count: number, position: number): void {
    if (this.#steps > 0) throw new LlamaError('failed', 'The image is not encoded.');
    const held = this.#held(context);
    if (first === 0) held.splice(position);
    if (position + first !== held.length) throw new LlamaError('failed', 'There is a gap.');
    held.push(...Array<number>(count).fill(-1));
    this.batches.push('#'.repeat(count));
  }

  logits(context: number, before: number): Float32Array {
    const held = this.#held(context);
    return this.think(held.slice(0, held.length - before));
  }

  keep(context: number, tokens: number): boolean {
    const held = this.#held(context);
    const isKept = this.canKeep || tokens >= held.length;
    held.splice(isKept ? tokens : 0);
    return isKept;
  }

  copy(from: number, to: number): void {
    if (!this.canCopy) throw new LlamaError('no_memory', 'No memory for the copy.');
    this.copies.push([from, to]);
    this.contexts[to] = [...this.#held(from)];
  }

  #scripted(held: readonly number[]): Float32Array {
    const logits = new Float32Array(this.vocabularySize);
    const next = encode(this.output)[held.length - this.#prompt];
    logits[next ?? STOP] = 20;
    return logits;
  }

  #held(context: number): number[] {
    const held = this.contexts[context];
    if (!held) throw new LlamaError('failed', 'There is no such context.');
    return held;
  }
}
