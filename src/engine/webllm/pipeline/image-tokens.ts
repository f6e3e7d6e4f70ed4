import type { ImageSize } from '../../../core/files/images/image-file.ts';
import { imageSize } from '../../../core/files/images/image-size.ts';
import { invalidImage, unsupportedValue } from '../../../core/errors/errors.ts';
import type { PromptImage } from '../../../core/operations/jobs/jobs.ts';
import type { DecodedImage, DecodeImage } from '../../images/decode-image.ts';
import { KnownImages } from '../../images/known-images.ts';
import { promptParts, type PromptImages } from '../../conversation/prompt/prompt-images.ts';
import type { PipelineImages } from './pipeline-images.ts';

/** An image in the input that WebLLM prefills. */
export interface ShownImage {
  /** The image's key, in the field where WebLLM expects a URL. WebLLM fetches nothing. */
  url: string;
}

/** The rest of a prompt as WebLLM's pipeline takes it. */
export type PromptInput = [
  parts: (readonly number[] | ShownImage)[],
  count: number,
  sizeOf: (image: ShownImage) => number,
];

interface ImageTokensOptions {
  model: Pick<PipelineImages, 'mostTokens' | 'isReadable' | 'longestSide' | 'tokens' | 'show'>;
  encode: (text: string) => readonly number[];
  decode: DecodeImage;
}

/** Phi-3.5-vision, the only family whose images WebLLM reads, is trained on a line break after each image. */
const AFTER_IMAGE = '\n';

/** Turns prompts with images into tokens, and tokens into the input that WebLLM prefills. */
export class ImageTokens {
  readonly #parts: ImageTokensOptions;
  /** All tokens of an image are the same negative number. */
  readonly #known: KnownImages;
  /** The key of token -1, -2 and so on. */
  readonly #keys: string[] = [];

  constructor(parts: ImageTokensOptions) {
    this.#parts = parts;
    this.#known = new KnownImages(
      (image) => this.#pixels(image),
      (key, image, decoded) => this.#count(key, image, decoded),
    );
  }

  /**
   * The tokens of a prompt.
   *
   * @param keepsPixels - whether its images are shown next
   * @throws ApiError 400 invalid_image, 400 unsupported_value for an image that the model cannot read at once
   */
  read(text: string, images: PromptImages, keepsPixels = false): Promise<number[]> {
    return this.#known.read(images, keepsPixels, () => this.tokens(text));
  }

  /** The tokens of a text whose images are known. */
  tokens(text: string): number[] {
    return promptParts(text).flatMap((part, index) => {
      if ('key' in part) return this.#known.tokens(part.key);
      // Every text but the first one is after an image.
      const isApart = index === 0 || part.text.startsWith(AFTER_IMAGE);
      return [...this.#parts.encode(isApart ? part.text : AFTER_IMAGE + part.text)];
    });
  }

  /**
   * Makes WebLLM's input for the rest of a prompt, and shows WebLLM its images.
   *
   * @param tokens - must not begin inside an image: WebLLM reads each image at once, and text follows it
   */
  async input(tokens: readonly number[], images: PromptImages): Promise<PromptInput> {
    const parts: (number[] | ShownImage)[] = [];
    let text: number[] = [];
    for (let place = 0; place < tokens.length;) {
      const image = this.#imageAt(tokens, place);
      if (image) {
        await this.#show(image.key, images);
        parts.push(text, { url: image.key });
        text = [];
        place += image.length;
      } else {
        text.push(tokens[place++] ?? 0);
      }
    }
    parts.push(text);
    const filled = parts.filter((part) => !Array.isArray(part) || part.length > 0);
    return [filled, tokens.length, ({ url }) => this.#known.tokens(url).length];
  }

  /** Forgets all pixels, and the images that were read longest ago. */
  forget(): void {
    this.#known.forget();
  }

  #count(key: string, { field }: PromptImage, decoded: DecodedImage): number[] {
    const { model } = this.#parts;
    if (!model.isReadable(decoded)) {
      const size = `${decoded.width} × ${decoded.height} pixels`;
      throw invalidImage(field, `has ${size}: this model cannot read so long and thin an image.`);
    }
    const count = model.tokens(decoded);
    if (count > model.mostTokens) {
      const limit = `at most ${model.mostTokens} at once`;
      throw unsupportedValue(`The image has ${count} tokens; this model reads ${limit}.`, field);
    }
    const token = -this.#keys.push(key);
    return Array.from({ length: count }, () => token);
  }

  #imageAt(tokens: readonly number[], place: number) {
    const token = tokens[place] ?? 0;
    const key = token < 0 ? this.#keys[-1 - token] : undefined;
    if (key === undefined) return undefined;
    const { length } = this.#known.tokens(key);
    return length > 0 ? { key, length } : undefined;
  }

  async #show(key: string, images: PromptImages): Promise<void> {
    const image = images.get(key);
    if (!image) throw new Error('The prompt lacks an image that its tokens are of.');
    this.#parts.model.show(key, await this.#known.take(key, image));
  }

  #pixels(image: PromptImage): Promise<DecodedImage> {
    const stated: ImageSize | undefined = imageSize(image.file);
    // If the file states no size, decoding reports what is wrong with it.
    const largest = stated && { side: this.#parts.model.longestSide(stated) };
    return this.#parts.decode(image, largest ?? {});
  }
}
