import type { MLCEngine } from '@mlc-ai/web-llm';
import * as v from 'valibot';
import { WEBLLM_URL } from '../../core/site/engine-files.ts';
import { loadModule } from '../workers/load-module.ts';

/** WebLLM's engine: one for each model. */
export type MlcEngine = typeof MLCEngine;

const librarySchema = v.object({
  MLCEngine: v.custom<MlcEngine>((value) => typeof value === 'function'),
});

/**
 * Imports WebLLM.
 *
 * @param base - URL of the folder that its script is in
 * @throws ApiError 500 if that cannot be loaded
 */
export async function loadLibrary(base: string): Promise<MlcEngine> {
  const hint = "A site without that file needs `start({ engines: ['llamacpp'] })`.";
  const script = new URL(WEBLLM_URL, base);
  return (await loadModule('WebLLM', script, librarySchema, hint)).MLCEngine;
}
