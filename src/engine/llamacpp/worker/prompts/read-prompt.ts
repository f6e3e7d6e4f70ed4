import type { PromptImages } from '../../../conversation/prompt/prompt-images.ts';
import type { Slices } from '../batches/slices.ts';
import type { ImagePiece, ImageTokens } from './image-tokens.ts';
import type { Batch } from '../batches/batch.ts';
import type { Llama } from '../llama.ts';

/** How long an image is encoded before the worker hears an abort, milliseconds; a step may take longer. */
const ENCODING_MS = 50;

/** Computes tokens and images. What returns a promise is computed when it resolves. */
export interface Decoder {
  /** How many tokens of a prompt to compute at once. Between two batches, the worker hears an abort. */
  readonly batchSize: number;
  /** Like `Llama.decode`. */
  decode(...batch: Parameters<Llama['decode']>): void | Promise<void>;
  /**
   * How many tokens may be computed after another one in the same batch, so that each has the bits that it has alone.
   *
   * @param held - how many tokens the KV cache holds before the batch
   * @param writers - how many answers have tokens in the batch
   */
  mostAhead(held: number, writers: number): number;
  /**
   * Like `Llama.decodeTogether`. Each token has the bits that it has alone.
   *
   * @returns whether all tokens are computed; if not, at least the first one of each context is
   */
  decodeTogether(batches: readonly Batch[]): boolean | Promise<boolean>;
  /** Like `Llama.decodeImage`. */
  decodeImage(...batch: Parameters<Llama['decodeImage']>): void | Promise<void>;
  /** Like `Llama.encode`. */
  encode(milliseconds: number): number | Promise<number>;
}

/** The parts of a loaded model that compute prompts. */
export interface ReadingModel {
  llama: Pick<Llama, 'beginEncoding' | 'freeImage' | 'piecesAreWhole'>;
  decoder: Decoder;
  images: Pick<ImageTokens, 'open' | 'pieceAt' | 'position'>;
}

interface Reading {
  /** Number of llama.cpp's context. */
  context: number;
  tokens: readonly number[];
  /** How many of these tokens the KV cache holds. */
  kept: number;
  /** The images that tokens of the prompt stand for. */
  images: PromptImages;
  /** After how many tokens the reading pauses, in order, and what is done there. */
  stops: readonly Stop[];
  /** Called with the number of tokens that the KV cache holds, when it grows. */
  hold: (tokens: number) => void;
  slices: Slices;
}

/** A place in a prompt. */
export interface Stop {
  /** Tokens before it. */
  tokens: number;
  reach: () => Promise<void>;
}

interface Run {
  readonly isStopped: boolean;
  turn: () => Promise<void>;
}

/** Computes the rest of a prompt. */
export class PromptReader {
  readonly #model: ReadingModel;
  readonly #reading: Reading;
  readonly #run: Run;
  /** How many of the tokens the KV cache holds. */
  #held: number;
  /** The position after these. */
  #position: number;
  /** The image whose pieces are being encoded. */
  #open: { key: string; number: number } | undefined;

  constructor(model: ReadingModel, reading: Reading, run: Run) {
    this.#model = model;
    this.#reading = reading;
    this.#run = run;
    this.#held = reading.kept;
    this.#position = model.images.position(reading.tokens, reading.kept);
  }

  /** Tokens in the KV cache. */
  get held(): number {
    return this.#held;
  }

  /** The position of the next token. */
  get position(): number {
    return this.#position;
  }

  /** @param onProgress - gets how many tokens are read; an image's tokens count while it is encoded */
  async read(onProgress: (tokens: number) => void): Promise<void> {
    const { tokens } = this.#reading;
    try {
      while (this.#held < tokens.length && !this.#run.isStopped) {
        await this.#reading.slices.makeWay();
        if (this.#run.isStopped) return;
        const piece = this.#model.images.pieceAt(tokens, this.#held);
        if (piece) await this.#readPiece(piece, onProgress);
        else await this.#readText();
        await this.#reading.stops.find(({ tokens: at }) => at === this.#held)?.reach();
        this.#reading.hold(this.#held);
        onProgress(this.#held);
        await this.#run.turn();
      }
    } finally {
      this.#close();
    }
  }

  async #readText(): Promise<void> {
    const { context, tokens } = this.#reading;
    const stop = this.#reading.stops.find(({ tokens: at }) => at > this.#held)?.tokens;
    const end = Math.min(this.#held + this.#model.decoder.batchSize, stop ?? Infinity);
    const next = tokens.slice(this.#held, end);
    const image = next.findIndex((token) => token < 0);
    const batch = image < 0 ? next : next.slice(0, image);
    const isLast = this.#held + batch.length === tokens.length;
    await this.#reading.slices.compute(() =>
      this.#model.decoder.decode(context, batch, this.#position, isLast ? 1 : 0),
    );
    this.#held += batch.length;
    this.#position += batch.length;
  }

  /** If the run is stopped, the KV cache may hold a part of the piece, which counts as not held. */
  async #readPiece(piece: ImagePiece, onProgress: (tokens: number) => void): Promise<void> {
    const { decoder, llama } = this.#model;
    const { context, tokens, slices } = this.#reading;
    const steps = llama.beginEncoding(await this.#image(piece.key), piece.index);
    const encode = () => decoder.encode(ENCODING_MS);
    for (let left = steps; left > 0;) {
      left = await slices.compute(encode);
      onProgress(this.#held + Math.floor((piece.tokens * (steps - left)) / (steps + 1)));
      await this.#run.turn();
      if (this.#run.isStopped) return;
    }
    const batch = llama.piecesAreWhole ? piece.tokens : decoder.batchSize;
    for (let first = 0; first < piece.tokens; first += batch) {
      const count = Math.min(batch, piece.tokens - first);
      const isLast = this.#held + first + count === tokens.length;
      await slices.compute(() =>
        decoder.decodeImage(context, first, count, this.#position, isLast),
      );
      await this.#run.turn();
      if (this.#run.isStopped) return;
    }
    this.#held += piece.tokens;
    this.#position += piece.positions;
  }

  async #image(key: string): Promise<number> {
    if (this.#open?.key === key) return this.#open.number;
    this.#close();
    const image = this.#reading.images.get(key);
    if (!image) throw new Error('The prompt lacks an image that its tokens are of.');
    const number = await this.#model.images.open(key, image);
    this.#open = { key, number };
    return number;
  }

  #close(): void {
    if (this.#open) this.#model.llama.freeImage(this.#open.number);
    this.#open = undefined;
  }
}
