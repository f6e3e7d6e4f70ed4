import type { MLCEngine } from '@mlc-ai/web-llm';
import * as v from 'valibot';
import { WEBLLM_URL } from '../../core/protocol/engine-files.ts';
import { serverError } from '../../core/protocol/errors.ts';

/** WebLLM's engine: one for each model. */
export type MlcEngine = typeof MLCEngine;

const librarySchema = v.object({
  MLCEngine: v.custom<MlcEngine>((value) => typeof value === 'function'),
});

/** How often it has been imported. */
let attempts = 0;

/**
 * Imports WebLLM.
 *
 * @param base - URL of the folder that its script is in
 * @throws ApiError 500 if that cannot be loaded
 */
export async function loadLibrary(base: string): Promise<MlcEngine> {
  const script = new URL(WEBLLM_URL, base);
  // A browser does not fetch a script again that it could not import before, unless its address differs.
  if (attempts++ > 0) script.hash = String(attempts);
  try {
    return v.parse(librarySchema, await import(/* @vite-ignore */ script.href)).MLCEngine;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw serverError(
      'engine_error',
      `WebLLM could not be loaded from ${script.href}: ${why} A site without that file needs ` +
        "`start({ engines: ['llamacpp'] })`.",
    );
  }
}
