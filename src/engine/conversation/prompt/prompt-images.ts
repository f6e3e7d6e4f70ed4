import { contentKey } from './content-key.ts';
import type { PromptUsage } from '../../../core/operations/events/events.ts';
import {
  IMAGE_MARK,
  type PromptImage,
  type TemplateMessage,
} from '../../../core/operations/jobs/jobs.ts';

/** The images of a prompt, by key. The prompt's text has the keys in place of the images. */
export type PromptImages = ReadonlyMap<string, PromptImage>;

export const NO_IMAGES: PromptImages = new Map();

const REFERENCE = new RegExp(`${IMAGE_MARK}([^${IMAGE_MARK}]+)${IMAGE_MARK}`);

/** A part of a prompt: text, or the key of an image. */
export type PromptPart = { text: string } | { key: string };

/**
 * The messages with references in place of the marks: whatever a template does with a message, each
 * image stays where it belongs. Two images have the same key only if a model reads them alike.
 */
export function withReferences(messages: TemplateMessage[]): {
  messages: TemplateMessage[];
  images: PromptImages;
} {
  const images = new Map<string, PromptImage>();
  if (messages.every((message) => !message.images)) return { messages, images };
  const referring = messages.map((message) => {
    let place = 0;
    const content = message.content.replaceAll(IMAGE_MARK, () => {
      const image = message.images?.[place++];
      if (!image) return '';
      const key = imageKey(image);
      images.set(key, image);
      return `${IMAGE_MARK}${key}${IMAGE_MARK}`;
    });
    return { ...message, content };
  });
  return { messages: referring, images };
}

/** The parts of a prompt's text, in order. */
export function promptParts(text: string): PromptPart[] {
  // Every second part is a key, which the brackets of the expression match.
  return text
    .split(REFERENCE)
    .map((part, index) => (index % 2 === 0 ? { text: part } : { key: part }));
}

/** The prompt's text for people. */
export function withoutKeys(text: string): string {
  return text.replaceAll(new RegExp(REFERENCE, 'g'), '<image>');
}

const known = new WeakMap<PromptImage, string>();

function imageKey(image: PromptImage): string {
  const { file, detail } = image;
  const key = known.get(image) ?? `${detail === 'low' ? 'low' : 'full'}-${contentKey(file)}`;
  known.set(image, key);
  return key;
}

/**
 * The usage of a prompt.
 *
 * @param tokens - the prompt's tokens; those of images are negative
 * @param cachedTokens - how many of them a KV cache held
 */
export function promptUsage(tokens: readonly number[], cachedTokens: number): PromptUsage {
  const imageTokens = tokens.filter((token) => token < 0).length;
  return { promptTokens: tokens.length, cachedTokens, ...(imageTokens > 0 && { imageTokens }) };
}
