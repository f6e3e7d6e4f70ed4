import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

import type { PackManifest } from '../../core/stores/catalog-entry.ts';
import { templateFeatures } from '../../core/stores/template-features.ts';
import { replaceFolder } from './replace-folder.ts';
import { chatConfig } from './chat-config.ts';
import type { Checkpoint } from './checkpoint.ts';
import { readBytes } from './json-file.ts';
import { MODEL_LIBRARY, writeManifest } from './manifest.ts';
import { readModelLibrary, requireParameters, requireShape } from './model-library.ts';
import type { ModelOptions } from './model-options.ts';
import { packParameters } from './parameters.ts';
import { writeTensorCache } from './tensor-cache.ts';

/** File next to the pack's files, not listed in the manifest: says what the pack was made from. */
export const MADE_FROM = '.made-from';

/**
 * Makes the pack of a model. The complete folder replaces the old one in one step. If anything fails, the
 * old one stays.
 *
 * @throws PackError if the checkpoint and the library do not match, or the disk is full
 */
export function writePack(
  checkpoint: Checkpoint,
  options: ModelOptions,
  folder: string,
  madeFrom?: string,
): PackManifest {
  const library = readModelLibrary(options.library);
  requireShape(library, checkpoint.shape);
  return replaceFolder(folder, (temporary) => {
    const write = (name: string, content: string | Uint8Array) =>
      writeFileSync(join(temporary, name), content);
    write(MODEL_LIBRARY, readBytes(library.path));
    write('tokenizer.json', checkpoint.tokenizer);
    write('tokenizer_config.json', checkpoint.tokenizerConfig);
    write('mlc-chat-config.json', JSON.stringify(chatConfig(checkpoint, library, options)));
    const parameters = requireParameters(library, packParameters(checkpoint));
    const weightBytes = writeTensorCache(temporary, parameters);
    const features = templateFeatures(chatTemplate(checkpoint.tokenizerConfig));
    const manifest = writeManifest(temporary, { options, library, weightBytes, features });
    if (madeFrom !== undefined) write(MADE_FROM, madeFrom);
    return manifest;
  });
}

const tokenizerConfigSchema = v.object({ chat_template: v.optional(v.string()) });

/** @param tokenizerConfig - content of `tokenizer_config.json` */
function chatTemplate(tokenizerConfig: string): string | undefined {
  return v.parse(tokenizerConfigSchema, JSON.parse(tokenizerConfig)).chat_template;
}
