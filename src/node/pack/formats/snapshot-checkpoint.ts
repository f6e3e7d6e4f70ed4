import { existsSync } from 'node:fs';
import { join } from 'node:path';

import * as v from 'valibot';

import { openByteSource } from '../sources/byte-source.ts';
import { readTensor, type Checkpoint } from './checkpoint.ts';
import { parseJson, readJsonFile, readTextFile } from './json-file.ts';
import { PackError } from '../pack-error.ts';
import { readSafetensors } from './safetensors-file.ts';
import {
  architectureSchema,
  requireLlama,
  snapshotConfigSchema,
  snapshotShape,
  snapshotSpecialTokens,
} from './snapshot-config.ts';

const jsonObject = v.record(v.string(), v.unknown());

/**
 * Reads the folder of a model from the hub: `config.json`, `model.safetensors`, `tokenizer.json` and
 * `tokenizer_config.json`.
 *
 * @throws PackError if something is missing, damaged, or not a plain Llama
 */
export function snapshotCheckpoint(folder: string): Checkpoint {
  const configFile = join(folder, 'config.json');
  requireLlama(readJsonFile(configFile, architectureSchema), folder);
  const config = readJsonFile(configFile, snapshotConfigSchema);
  const shape = snapshotShape(config, folder);
  const tokenizer = compact(join(folder, 'tokenizer.json'));
  const tokenizerConfig = readTokenizerConfig(folder);
  const source = openByteSource(weightsFile(folder));
  const tensors = readSafetensors(source);
  return {
    shape,
    specialTokens: snapshotSpecialTokens(config),
    tokenizer,
    tokenizerConfig,
    tensor: (name, dimensions) => readTensor(source, tensors.get(name), name, dimensions),
    close: () => source.close(),
  };
}

/** Path of the weights. Those of large models are in several files, which is not supported. */
function weightsFile(folder: string): string {
  const file = join(folder, 'model.safetensors');
  const index = `${file}.index.json`;
  if (existsSync(file) || !existsSync(index)) return file;
  throw new PackError(`${folder} has its weights in several files; only one is supported.`);
}

/** Newer repositories keep the chat template in a separate file. */
function readTokenizerConfig(folder: string): string {
  const config = readJsonFile(join(folder, 'tokenizer_config.json'), jsonObject);
  const template = join(folder, 'chat_template.jinja');
  if (existsSync(template)) config['chat_template'] ??= readTextFile(template);
  return JSON.stringify(config);
}

function compact(path: string): string {
  return JSON.stringify(parseJson(readTextFile(path), v.unknown(), path));
}
