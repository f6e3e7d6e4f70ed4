import type { PromptImage } from '../../../../core/operations/jobs/jobs.ts';
import type { DecodedImage, DecodeImage } from '../../../images/decode-image.ts';
import { KnownImages } from '../../../images/known-images.ts';
import { promptParts, type PromptImages } from '../../../conversation/prompt/prompt-images.ts';
import type { Llama } from '../llama.ts';

/** A part of an image that the projector encodes at once. Its tokens are all the same negative number. */
export interface ImagePiece {
  /** The image's key. */
  key: string;
  /** Which of the image's pieces it is, from 0. */
  index: number;
  tokens: number;
  /** How many positions the piece takes. Fewer than its tokens if the model's positions have several dimensions. */
  positions: number;
}

/** The part of llama.cpp that images need. */
export type ImageLlama = Pick<Llama, 'tokenize' | 'newImage' | 'freeImage' | 'imageLayout'>;

/** Limits to what a model sees of an image; undefined: only llama.cpp's own. */
interface Seen {
  /** Side of the square to which the model scales each image, pixels. */
  side?: number | undefined;
  /** The most pixels of an image. */
  pixels?: number | undefined;
}

/** Pixels of the longer side. `low` means 512; no model that fits in a page sees more than 2048. */
export const LARGEST_SIDE = { low: 512, auto: 2048, high: 2048 };
/** If images become squares: an image whose shorter side is at most this long is left to llama.cpp. */
const SMALL_SIDE = 256;

/** Turns prompts with images into tokens, and knows what the tokens of images stand for. */
export class ImageTokens {
  readonly #llama: ImageLlama;
  readonly #known: KnownImages;
  /** The piece that each image token stands for. These tokens are -1, -2 and so on. */
  readonly #pieces = new Map<number, ImagePiece>();
  #made = 0;
  /** How many answers are under way. */
  #answers = 0;

  constructor(llama: ImageLlama, decode: DecodeImage, { side, pixels = Infinity }: Seen = {}) {
    this.#llama = llama;
    const shorterSide = Math.max(side ?? Infinity, SMALL_SIDE);
    this.#known = new KnownImages(
      (image) => decode(image, { side: LARGEST_SIDE[image.detail], shorterSide, pixels }),
      (key, image, decoded) => this.#count(key, image, decoded),
    );
  }

  /**
   * The tokens of a prompt.
   *
   * @param keepsPixels - whether its images are encoded next
   * @throws ApiError 400 invalid_image
   */
  read(text: string, images: PromptImages, keepsPixels: boolean): Promise<number[]> {
    return this.#known.read(images, keepsPixels, () => this.tokens(text));
  }

  /** The tokens of a text whose images are known. */
  tokens(text: string): number[] {
    return promptParts(text).flatMap((part) =>
      'key' in part ? this.#known.tokens(part.key) : this.#llama.tokenize(part.text),
    );
  }

  /** The piece that begins at this place of a prompt; undefined if there is text. */
  pieceAt(tokens: readonly number[], place: number): ImagePiece | undefined {
    const token = tokens[place] ?? 0;
    return this.#pieces.get(token);
  }

  /** The position after the first `count` tokens. */
  position(tokens: readonly number[], count: number): number {
    let position = 0;
    for (let place = 0; place < count;) {
      const piece = this.pieceAt(tokens, place);
      position += piece?.positions ?? 1;
      place += piece?.tokens ?? 1;
    }
    return position;
  }

  /** Length of the longest prefix, at most `count` tokens, that does not end inside a piece. */
  wholeLength(tokens: readonly number[], count: number): number {
    let place = 0;
    for (let next = 0; next <= count; next += this.pieceAt(tokens, next)?.tokens ?? 1) place = next;
    return place;
  }

  /** Makes the image in llama.cpp, so that its pieces can be encoded. @returns its number */
  async open(key: string, image: PromptImage): Promise<number> {
    const decoded = await this.#known.take(key, image);
    return this.#llama.newImage(decoded, decoded.rgb, image.detail === 'low');
  }

  /**
   * Does the work of an answer, and forgets the pixels of its images. When no answer is under way any more, calls
   * `forget`.
   */
  async during<T>(
    images: PromptImages,
    held: () => Iterable<number>,
    answer: () => Promise<T>,
  ): Promise<T> {
    this.#answers++;
    try {
      return await answer();
    } finally {
      this.#known.drop(images);
      this.#answers--;
      if (this.#answers === 0) this.forget(held);
    }
  }

  /**
   * Forgets all pixels, and the images that were read longest ago.
   *
   * @param held - returns the tokens in the KV caches, whose pieces stay known
   */
  forget(held: () => Iterable<number>): void {
    this.#known.forget();
    if (this.#pieces.size === 0) return;
    const needed = new Set(held());
    for (const [token, { key }] of this.#pieces) {
      if (!needed.has(token) && !this.#known.tokens(key).includes(token))
        this.#pieces.delete(token);
    }
  }

  #count(key: string, image: PromptImage, decoded: DecodedImage): number[] {
    const number = this.#llama.newImage(decoded, undefined, image.detail === 'low');
    const layout = this.#llama.imageLayout(number);
    this.#llama.freeImage(number);
    return this.#tokensOf(key, layout);
  }

  /** @param layout - as lc_image_layout of binding.h writes it */
  #tokensOf(key: string, layout: readonly number[]): number[] {
    const tokens: number[] = [];
    for (let place = 0, index = 0; place < layout.length; place++) {
      const number = layout[place] ?? 0;
      if (number >= 0) {
        tokens.push(number);
        continue;
      }
      const positions = layout[++place] ?? 0;
      const token = -++this.#made;
      this.#pieces.set(token, { key, index: index++, tokens: -number, positions });
      for (let count = 0; count < -number; count++) tokens.push(token);
    }
    return tokens;
  }
}
