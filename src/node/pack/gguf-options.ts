import type { GgufModel } from './formats/gguf-model.ts';
import { ownerOf, type ModelOptions } from './model-options.ts';
import { PackError } from './pack-error.ts';

/**
 * The options of a pack, from what its GGUF file says of its origin.
 *
 * @throws PackError if the file does not name the model or its licence
 */
export function ggufOptions({ parts, origin }: GgufModel): ModelOptions {
  const { name, organization, license } = origin;
  const file = parts[0]?.name;
  if (name === undefined) throw missing(file, 'name');
  if (license === undefined) throw missing(file, 'licence');
  const id = [organization, name].flatMap((part) => (part === undefined ? [] : slug(part)));
  return { id: id.join('/'), ownedBy: ownerOf(id.join('/')), license, created: 0 };
}

function missing(file: string | undefined, what: string): PackError {
  return new PackError(
    `${file} does not say the model's ${what}. Write a JSON file with "id" and "license", and ` +
      'pass it as --model.',
  );
}

/** `SmolLM2 135M Instruct` → `SmolLM2-135M-Instruct`: ids are like those of repositories on the hub. */
function slug(text: string): string {
  return text.trim().replaceAll(/[^\w.-]+/g, '-');
}
