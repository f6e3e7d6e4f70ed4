import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { totalBytes } from '../../core/stores/variant.ts';
import { ggufOptions } from './gguf-options.ts';
import { readModelOptions, type ModelOptions } from './model-options.ts';
import { PackError } from './pack-error.ts';
import { withPackSources, type PackSources } from './pack-sources.ts';
import { writePack } from './write-pack.ts';

export const PACK_USAGE = `Usage: slashv1 pack <checkpoint> [--model <file>] [--gguf <file>] --out <folder>

Makes a model pack: a folder that any static host can serve.

  <checkpoint>  a GGUF file, or a model's folder from the Hugging Face Hub with config.json,
                model.safetensors, tokenizer.json and tokenizer_config.json
  --model       a JSON file that describes the model, e.g. models/tiny-chat.json. If it names a model
                library, the pack has a variant for WebLLM. Default: what the GGUF file says
  --gguf        the GGUF file of the variant for llama.cpp; default: the checkpoint, if it is one
  --out         the folder to write; an existing pack is replaced
`;

interface PackArguments {
  checkpoint: string;
  model?: string;
  gguf?: string;
  out: string;
}

/**
 * The command `slashv1 pack`.
 *
 * @param args - the arguments after `pack`
 * @throws GgufError or PackError that says what is wrong with the arguments or the model
 */
export async function packCommand(args: string[]): Promise<void> {
  const { model, out, ...paths } = parse(args);
  const options = model === undefined ? undefined : readModelOptions(model);
  const library = options?.library;
  await withPackSources({ ...paths, ...(library !== undefined && { library }) }, (sources) => {
    const { id, variants } = writePack(sources, options ?? optionsFrom(sources), resolve(out));
    for (const { engine, quantization, files } of variants) {
      const size = `${files.length} ${files.length === 1 ? 'file' : 'files'}, ${(totalBytes(files) / 1e6).toFixed(1)} MB`;
      process.stdout.write(`${id} for ${engine} (${quantization}): ${size}, in ${out}\n`);
    }
  });
}

function optionsFrom({ llamacpp }: PackSources): ModelOptions {
  if (!llamacpp) throw wrongUsage('--model is missing.');
  return ggufOptions(llamacpp);
}

function parse(args: string[]): PackArguments {
  const { positionals, values } = parseStrictly(args);
  const [checkpoint, ...others] = positionals;
  const { out, ...optional } = values;
  if (checkpoint === undefined) throw wrongUsage('The checkpoint is missing.');
  if (others.length > 0)
    throw wrongUsage(`Only one checkpoint can be packed. Remove ${others.join(' ')}.`);
  if (out === undefined) throw wrongUsage('--out is missing.');
  return { checkpoint, out, ...optional };
}

function parseStrictly(args: string[]) {
  const option = { type: 'string' } as const;
  const options = { model: option, gguf: option, out: option };
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw wrongUsage(error instanceof Error ? error.message : String(error));
  }
}

function wrongUsage(problem: string): PackError {
  return new PackError(`${problem}\n${PACK_USAGE}`);
}
