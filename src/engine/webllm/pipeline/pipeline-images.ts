import type { ImageSize } from '../../../core/files/images/image-file.ts';
import type { DecodedImage } from '../../images/decode-image.ts';
import { can, type Pipeline } from './pipeline.ts';

/** Pixels as WebLLM reads them: four bytes each, of which it uses three. */
type CanvasPixels = ImageSize & { data: Uint8ClampedArray };

interface SeeingPipeline extends Pipeline {
  /** Pixels of the prompt that is read next, by URL; without them, WebLLM fetches the URL. */
  imageDataCache: Map<string, CanvasPixels>;
  prefillChunkSize: number;
  /** To which height and width the model's library scales an image. */
  calculateResizeShape(height: number, width: number): [height: number, width: number];
  computeImageEmbedSize(height: number, width: number): number;
}

/** WebLLM's public API takes images as URLs, which it fetches itself, and does not say how many tokens they take. */
function isSeeing(pipeline: Pipeline): pipeline is SeeingPipeline {
  const field = (name: string): unknown => Reflect.get(pipeline, name);
  return (
    can(pipeline, 'image_embed', 'calculateResizeShape', 'computeImageEmbedSize') &&
    field('imageDataCache') instanceof Map &&
    typeof field('prefillChunkSize') === 'number'
  );
}

/** Any size will do. */
const PROBE: ImageSize = { width: 336, height: 336 };

/** @returns undefined if the model sees no images, or images that this WebLLM cannot scale for it */
export function findPipelineImages(pipeline: Pipeline): PipelineImages | undefined {
  if (!isSeeing(pipeline)) return undefined;
  const images = new PipelineImages(pipeline);
  try {
    return images.isReadable(PROBE) ? images : undefined;
  } catch {
    return undefined;
  }
}

/** The images of a loaded model. WebLLM knows how the model's library scales an image of each size. */
export class PipelineImages {
  readonly #pipeline: SeeingPipeline;

  constructor(pipeline: SeeingPipeline) {
    this.#pipeline = pipeline;
  }

  /** The most tokens of one image: it is read at once. */
  get mostTokens(): number {
    return this.#pipeline.prefillChunkSize;
  }

  /** Whether both sides of an image of this size are at least one pixel when the model has scaled it. */
  isReadable(size: ImageSize): boolean {
    const { width, height } = this.#scaled(size);
    return width > 0 && height > 0;
  }

  /** Pixels of the longer side when the model has scaled an image of this size, upright or turned. */
  longestSide({ width, height }: ImageSize): number {
    const sizes = [this.#scaled({ width, height }), this.#scaled({ width: height, height: width })];
    return Math.max(...sizes.flatMap((size) => [size.width, size.height]));
  }

  /** Tokens of an image of this size. */
  tokens({ width, height }: ImageSize): number {
    return this.#pipeline.computeImageEmbedSize(height, width);
  }

  /** Gives WebLLM the pixels of an image, under this URL, for the prefill that begins next. */
  show(url: string, { width, height, rgb }: DecodedImage): void {
    this.#pipeline.imageDataCache.set(url, { width, height, data: withAlpha(rgb) });
  }

  #scaled({ width, height }: ImageSize): ImageSize {
    const [scaledHeight, scaledWidth] = this.#pipeline.calculateResizeShape(height, width);
    return { width: scaledWidth, height: scaledHeight };
  }
}

function withAlpha(rgb: Uint8Array): Uint8ClampedArray {
  const rgba = new Uint8ClampedArray((rgb.length / 3) * 4).fill(255);
  for (let from = 0, to = 0; from < rgb.length; to++) {
    rgba[to++] = rgb[from++] ?? 0;
    rgba[to++] = rgb[from++] ?? 0;
    rgba[to++] = rgb[from++] ?? 0;
  }
  return rgba;
}
