import { promptTooLong } from '../../../../core/errors/errors.ts';
import { NO_IMAGES, type PromptImages } from '../../../conversation/prompt/prompt-images.ts';
import type { ImageTokens } from './image-tokens.ts';
import type { Llama } from '../llama.ts';

/** The parts of a model that turn prompts into tokens. */
export interface PromptModel {
  llama: Pick<Llama, 'firstToken' | 'stopTokenIds'>;
  images: Pick<ImageTokens, 'read'>;
}

/** The tokens of a prompt. @throws ApiError 400 context_length_exceeded */
export async function fittingPrompt(
  model: PromptModel & { contextLength: number },
  text: string,
  images: PromptImages,
): Promise<number[]> {
  const { contextLength: context } = model;
  const tokens = await promptTokens(model, text, images, true);
  const prompt = tokens.length;
  if (prompt < context) return tokens;
  throw promptTooLong(prompt, context);
}

/**
 * The tokens that the model reads for a prompt.
 *
 * @param keepsPixels - as in ImageTokens
 */
export async function promptTokens(
  { llama, images: imageTokens }: PromptModel,
  text: string,
  images: PromptImages = NO_IMAGES,
  keepsPixels = false,
): Promise<number[]> {
  const { firstToken, stopTokenIds } = llama;
  const read = await imageTokens.read(text, images, keepsPixels);
  // Without any token there are no logits; models are trained to begin after the end of a text.
  const first = firstToken ?? (read.length === 0 ? stopTokenIds[0] : undefined);
  return first === undefined || read[0] === first ? read : [first, ...read];
}
