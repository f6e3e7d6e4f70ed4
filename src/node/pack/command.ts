import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { readModelOptions } from './model-options.ts';
import { openCheckpoint } from './open-checkpoint.ts';
import { PackError } from './pack-error.ts';
import { writePack } from './write-pack.ts';

export const PACK_USAGE = `Usage: slashv1 pack <checkpoint> --model <file> --out <folder>

Makes a model pack: a folder that any static host can serve.

  <checkpoint>  a GGUF file, or a model's folder from the Hugging Face Hub with config.json,
                model.safetensors, tokenizer.json and tokenizer_config.json
  --model       a JSON file that describes the model and names its model library,
                e.g. models/tiny-chat.json
  --out         the folder to write; an existing pack is replaced
`;

/**
 * The command `slashv1 pack`.
 *
 * @param args - the arguments after `pack`
 * @throws PackError that says what is wrong with the arguments or the model
 */
export async function packCommand(args: string[]): Promise<void> {
  const { source, model, out } = parse(args);
  const checkpoint = await openCheckpoint(source);
  try {
    const { id, files } = writePack(checkpoint, readModelOptions(model), resolve(out));
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    process.stdout.write(
      `${id}: ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB, in ${out}\n`,
    );
  } finally {
    checkpoint.close();
  }
}

function parse(args: string[]): { source: string; model: string; out: string } {
  const { positionals, values } = parseStrictly(args);
  const [source, ...others] = positionals;
  const { model, out } = values;
  if (source === undefined) throw wrongUsage('The checkpoint is missing.');
  if (others.length > 0)
    throw wrongUsage(`Only one checkpoint can be packed. Remove ${others.join(' ')}.`);
  if (model === undefined) throw wrongUsage('--model is missing.');
  if (out === undefined) throw wrongUsage('--out is missing.');
  return { source, model, out };
}

function parseStrictly(args: string[]) {
  const option = { type: 'string' } as const;
  try {
    return parseArgs({ args, allowPositionals: true, options: { model: option, out: option } });
  } catch (error) {
    throw wrongUsage(error instanceof Error ? error.message : String(error));
  }
}

function wrongUsage(problem: string): PackError {
  return new PackError(`${problem}\n${PACK_USAGE}`);
}
