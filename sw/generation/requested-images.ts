import * as v from 'valibot';
import { IMAGE_MARK, type RequestedImage } from '../../src/core/operations/jobs.ts';
import { optional } from '../http/fields.ts';

/** How closely a request wants an image to be seen. */
export const detail = optional(
  v.picklist(['auto', 'low', 'high', 'original'], 'must be one of auto, low, high, original'),
);

/**
 * Adds the next image of a request.
 *
 * @param images - all of them, in the order of their marks
 * @param field - of the URL in the request
 * @returns its mark in the text of its message
 */
export function showImage(
  images: RequestedImage[],
  url: string,
  field: string,
  asked?: v.InferOutput<typeof detail>,
): string {
  images.push({ url, field, detail: asked === 'original' ? 'high' : (asked ?? 'auto') });
  return IMAGE_MARK;
}
