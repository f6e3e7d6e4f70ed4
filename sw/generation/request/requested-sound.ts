import * as v from 'valibot';
import { fileTooLarge, invalidRequest } from '../../../src/core/errors/errors.ts';
import { fromBase64 } from '../../http/base64.ts';
import { object, optional, text } from '../../http/fields.ts';

/** The part of a message that holds a recording. Its bytes decide its format. */
export const soundPart = optional(object({ data: optional(v.unknown()), format: optional(text) }));

/** A recording in a message. */
export interface RequestedSound {
  /** Stands for what is said in it until that is known. Nobody can guess it. */
  mark: string;
  file: Blob;
  /** The field of its data in the request. */
  field: string;
}

const MAX_BYTES = 25 * 1024 ** 2;

/**
 * Adds the recording of a part to a request's sounds.
 *
 * @param at - the part's field
 * @returns its mark
 * @throws ApiError 400 if it has no recording; 413 if that is too large
 */
export function hearSound(
  sounds: RequestedSound[],
  sound: v.InferOutput<typeof soundPart>,
  at: string,
): string {
  const field = `${at}.input_audio`;
  if (sound == null) throw invalidRequest(`'${field}' is required.`, field);
  const file = new Blob([bytesOf(sound.data, `${field}.data`)]);
  if (file.size > MAX_BYTES) throw fileTooLarge(`${field}.data`, MAX_BYTES);
  const mark = `[${crypto.randomUUID()}]`;
  sounds.push({ mark, file, field: `${field}.data` });
  return mark;
}

function bytesOf(data: unknown, field: string): Uint8Array<ArrayBuffer> {
  if (typeof data !== 'string') throw invalidRequest(`'${field}' must be a string.`, field);
  try {
    const bytes = fromBase64(data.replace(/^data:[^,]*;base64,/i, ''));
    if (bytes.length > 0) return bytes;
  } catch {
    // What cannot be read is no recording.
  }
  throw invalidRequest(`'${field}' must be a recording in base64.`, field);
}
