/**
 * Marks the place of the next image in a message's content. Unicode reserves this character for use inside a
 * program, and the service worker keeps it out of clients' texts.
 */
export const IMAGE_MARK = '\uFDD0';

/** An image as a request names it. */
export interface RequestedImage extends Pick<PromptImage, 'detail' | 'field'> {
  /** A `data:` URL in base64, or an address of the site: others are refused. */
  url: string;
  /** The decoded file, in place of a `data:` URL whose base64 was decoded on the way to the engine. */
  file?: Uint8Array<ArrayBuffer>;
}

/** An image that a model is shown. */
export interface PromptImage {
  /** A PNG, JPEG, WebP or GIF file. */
  file: Uint8Array;
  /** `low`: with as few tokens as the model can; else as many as it takes by default. */
  detail: 'low' | 'auto' | 'high';
  /** Where the request has it, for errors. */
  field: string;
}
