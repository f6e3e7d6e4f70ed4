import * as v from 'valibot';
import { ENGLISH_URL } from '../../../core/site/onnx-files.ts';
import { loadModule } from '../../workers/load-module.ts';
import type * as English from './english/library.ts';

const librarySchema = v.object({
  EnglishPhonemes: v.custom<typeof English.EnglishPhonemes>((value) => typeof value === 'function'),
});

/**
 * Imports the sounds of English words, which are beside this worker's script.
 *
 * @throws ApiError 500 if they cannot be loaded
 */
export function loadEnglish(): Promise<typeof English> {
  const hint = '`npx slashv1 init --speech` brings that file.';
  const script = new URL(ENGLISH_URL, import.meta.url);
  return loadModule('The sounds of English', script, librarySchema, hint);
}
