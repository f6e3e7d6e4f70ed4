import { constants, copyFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import type { PackVariant } from '../../../core/catalog/pack-manifest.ts';
import type { GgufModel } from '../formats/gguf-model.ts';
import { variantFiles } from './manifest.ts';
import type { ModelOptions } from '../model-options.ts';
import { copyInOrderOfUse } from '../formats/order-of-use.ts';

/** Copies the files of the variant for llama.cpp into a folder. */
export function writeLlamaCppVariant(
  folder: string,
  { parts: headers, projector, quantization, memory, onGpu }: GgufModel,
  { temperature, topP, prompts }: ModelOptions,
): PackVariant {
  const parts = headers.map(({ name }) => basename(name));
  const eyes = projector === undefined ? [] : [projector];
  for (const header of headers) copyInOrderOfUse(header, join(folder, basename(header.name)));
  for (const path of eyes) {
    copyFileSync(path, join(folder, basename(path)), constants.COPYFILE_FICLONE);
  }
  const sampling = {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
  };
  return {
    engine: 'llamacpp',
    quantization,
    needs: {},
    parts,
    memory,
    onGpu,
    ...(projector !== undefined && { projector: basename(projector) }),
    ...(prompts && { prompts }),
    ...(Object.keys(sampling).length > 0 && { sampling }),
    ...variantFiles(folder, [...parts, ...eyes.map((path) => basename(path))]),
  };
}
