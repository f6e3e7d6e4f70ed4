import { existsSync } from 'node:fs';
import { join } from 'node:path';

import * as v from 'valibot';

import { openByteSource } from './byte-source.ts';
import { readTensor, type Checkpoint } from './checkpoint.ts';
import { parseJson, readJsonFile, readTextFile } from './json-file.ts';
import { readSafetensors } from './safetensors-file.ts';
import { snapshotConfigSchema, snapshotShape, snapshotSpecialTokens } from './snapshot-config.ts';

const jsonObject = v.record(v.string(), v.unknown());

/**
 * A folder as the hub has it: `config.json`, `model.safetensors`, `tokenizer.json` and
 * `tokenizer_config.json`.
 *
 * @throws PackError if something is missing, damaged, or not a plain Llama
 */
export function snapshotCheckpoint(folder: string): Checkpoint {
  const config = readJsonFile(join(folder, 'config.json'), snapshotConfigSchema);
  const shape = snapshotShape(config, folder);
  const tokenizer = compact(join(folder, 'tokenizer.json'));
  const tokenizerConfig = readTokenizerConfig(folder);
  const source = openByteSource(join(folder, 'model.safetensors'));
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

/** Newer repositories keep the chat template in a file of its own. */
function readTokenizerConfig(folder: string): string {
  const config = readJsonFile(join(folder, 'tokenizer_config.json'), jsonObject);
  const template = join(folder, 'chat_template.jinja');
  if (existsSync(template)) config['chat_template'] ??= readTextFile(template);
  return JSON.stringify(config);
}

function compact(path: string): string {
  return JSON.stringify(parseJson(readTextFile(path), v.unknown(), path));
}
