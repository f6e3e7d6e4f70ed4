import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { PackManifest } from '../../core/catalog-entry.ts';
import { replaceFolder } from './replace-folder.ts';
import { chatConfig } from './chat-config.ts';
import type { Checkpoint } from './checkpoint.ts';
import { gpuBytesOf, MODEL_LIBRARY, writeManifest } from './manifest.ts';
import type { ModelOptions } from './model-options.ts';
import { packParameters } from './parameters.ts';
import { writeTensorCache } from './tensor-cache.ts';

/** Beside the pack's files, not one of them: what made it, where the maker wants to know it again. */
export const MADE_FROM = '.made-from';

/**
 * Makes the pack of a model. The folder appears at once and complete, in place of what was there;
 * when anything fails, what was there stays.
 *
 * @throws PackError if the checkpoint and the library do not fit, or the disk is full
 */
export function writePack(
  checkpoint: Checkpoint,
  options: ModelOptions,
  folder: string,
  madeFrom?: string,
): PackManifest {
  return replaceFolder(folder, (temporary) => {
    const text = (name: string, content: string) => writeFileSync(join(temporary, name), content);
    copyFileSync(options.library, join(temporary, MODEL_LIBRARY));
    text('tokenizer.json', checkpoint.tokenizer);
    text('tokenizer_config.json', checkpoint.tokenizerConfig);
    text('mlc-chat-config.json', JSON.stringify(chatConfig(checkpoint, options), null, 2));
    const weights = writeTensorCache(temporary, packParameters(checkpoint));
    const gpuBytes = gpuBytesOf(weights, checkpoint.shape, options.contextLength);
    const manifest = writeManifest(temporary, options, gpuBytes);
    if (madeFrom !== undefined) text(MADE_FROM, madeFrom);
    return manifest;
  });
}
