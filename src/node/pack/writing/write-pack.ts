import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { PackManifest, PackVariant } from '../../../core/catalog/pack-manifest.ts';
import { writeLlamaCppVariant } from './llamacpp-variant.ts';
import { writeManifest } from './manifest.ts';
import type { ModelOptions } from '../model-options.ts';
import type { PackSources } from '../sources/pack-sources.ts';
import { replaceFolder } from './replace-folder.ts';
import { webLlmFeatures, writeWebLlmVariant } from './webllm-variant.ts';

/** File next to the pack's files, not listed in the manifest: says what the pack was made from. */
export const MADE_FROM = '.made-from';

/**
 * Makes the pack of a model. The complete folder replaces the old one in one step. If anything fails, the
 * old one stays.
 *
 * @throws PackError if the checkpoint and the library do not match, or the disk is full
 */
export function writePack(
  sources: PackSources,
  options: ModelOptions,
  folder: string,
  madeFrom?: string,
): PackManifest {
  const { id, ownedBy, license, created } = options;
  return replaceFolder(folder, (temporary) => {
    const variants = writeVariants(temporary, sources, options);
    const manifest = writeManifest(temporary, {
      id,
      ownedBy,
      created,
      license,
      ...task(sources, options),
      contextLength: contextLength(sources),
      features: features(sources),
      variants,
    });
    if (madeFrom !== undefined) writeFileSync(join(temporary, MADE_FROM), madeFrom);
    return manifest;
  });
}

/** Writes the variants, WebLLM's first: a device that can run it is faster with it. */
function writeVariants(
  folder: string,
  { webllm, llamacpp }: PackSources,
  options: ModelOptions,
): PackVariant[] {
  return [
    ...(webllm ? [writeWebLlmVariant(folder, webllm, options)] : []),
    ...(llamacpp ? [writeLlamaCppVariant(folder, llamacpp, options)] : []),
  ];
}

/** The task, and the facts that the catalog has about a model with this task. */
function task({ webllm, llamacpp }: PackSources, { dimensions, calibration }: ModelOptions) {
  if (webllm || llamacpp.does.task === 'chat') {
    return { task: 'chat' as const, ...(calibration && { calibration }) };
  }
  if (llamacpp.does.task === 'rerank') return { task: 'rerank' as const };
  const { length } = llamacpp.does;
  return { task: 'embedding' as const, embedding: { length, ...(dimensions && { dimensions }) } };
}

/** Tokens. Both variants have the same, so that an answer does not depend on the device. */
function contextLength({ webllm, llamacpp }: PackSources): number {
  return webllm ? webllm.library.contextLength : llamacpp.contextLength;
}

function features({ webllm, llamacpp }: PackSources): string[] {
  return webllm ? webLlmFeatures(webllm.checkpoint) : llamacpp.features;
}
