import type { PromptImage } from '../../core/operations/jobs/jobs.ts';
import type { PromptImages } from '../conversation/prompt/prompt-images.ts';
import type { DecodedImage } from './decode-image.ts';

/** How many images stay known. Only their tokens are kept, nothing of their content. */
const MOST_KNOWN = 64;

/** The tokens of images that a model was shown, and the pixels of images that it may be shown next. */
export class KnownImages {
  readonly #pixels: (image: PromptImage) => Promise<DecodedImage>;
  readonly #count: (key: string, image: PromptImage, decoded: DecodedImage) => readonly number[];
  /** By key. */
  readonly #tokens = new Map<string, readonly number[]>();
  /** Pixels of images that were decoded for their size and may be encoded next, by key. */
  readonly #decoded = new Map<string, DecodedImage>();

  /**
   * @param pixels - decodes an image as large as the model takes it
   * @param count - computes the tokens of an image
   */
  constructor(
    pixels: (image: PromptImage) => Promise<DecodedImage>,
    count: (key: string, image: PromptImage, decoded: DecodedImage) => readonly number[],
  ) {
    this.#pixels = pixels;
    this.#count = count;
  }

  /** The tokens of an image; none if it is not known. */
  tokens(key: string): readonly number[] {
    return this.#tokens.get(key) ?? [];
  }

  /**
   * Calls `then` when all images of a prompt are known, and returns its result. All are checked again after each
   * decoding, because meanwhile another request may have caused some to be forgotten.
   *
   * @param keepsPixels - whether the images are encoded next
   * @throws what decoding or counting throws
   */
  async read<T>(images: PromptImages, keepsPixels: boolean, then: () => T): Promise<T> {
    for (;;) {
      const unknown = [...images].find(([key]) => !this.#tokens.has(key));
      if (!unknown) return then();
      const [key, image] = unknown;
      const decoded = await this.#pixels(image);
      const tokens = this.#count(key, image, decoded);
      if (keepsPixels) this.#decoded.set(key, decoded);
      this.#tokens.set(key, tokens);
    }
  }

  /** Returns the pixels of an image, and stops keeping them. */
  async take(key: string, image: PromptImage): Promise<DecodedImage> {
    const decoded = this.#decoded.get(key) ?? (await this.#pixels(image));
    this.#decoded.delete(key);
    return decoded;
  }

  /** Forgets the pixels of some images. */
  drop(images: PromptImages): void {
    for (const key of images.keys()) this.#decoded.delete(key);
  }

  /** Forgets all pixels, and the images that were read longest ago. */
  forget(): void {
    this.#decoded.clear();
    const oldest = [...this.#tokens.keys()].slice(0, -MOST_KNOWN);
    for (const key of oldest) this.#tokens.delete(key);
  }
}
