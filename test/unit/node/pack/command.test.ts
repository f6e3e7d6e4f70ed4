import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { packCommand } from '../../../../src/node/pack/command.ts';
import { readPackFolder } from '../../../../src/node/pack-files.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { tinyGguf, writeSnapshot } from './tiny-llama.ts';
import { writeLibrary } from './tiny-library.ts';

let root: string;

beforeEach(() => {
  root = temporaryFolder();
  writeLibrary(root);
});
afterEach(() => vi.restoreAllMocks());

async function run(source: string): Promise<string> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await packCommand([source, '--model', join(root, 'tiny.json'), '--out', join(root, 'out')]);
  return String(write.mock.calls[0]?.[0]);
}

test('a GGUF file becomes a pack', async () => {
  writeFileSync(join(root, 'model.gguf'), tinyGguf());
  expect(await run(join(root, 'model.gguf'))).toMatch(/^test\/tiny: 6 files, 0\.0 MB, in /);
  expect(readPackFolder(join(root, 'out')).files).toContain('params_shard_0.bin');
});

test('a snapshot folder becomes a pack', async () => {
  writeSnapshot(join(root, 'snapshot'));
  await run(join(root, 'snapshot'));
  expect(readPackFolder(join(root, 'out')).files).toContain('tokenizer.json');
});

test('a missing path is named', async () => {
  await expect(run(join(root, 'none'))).rejects.toThrow(
    `There is no file or folder ${join(root, 'none')}`,
  );
});

test('a description of the model that cannot be read is named', async () => {
  writeFileSync(join(root, 'model.gguf'), tinyGguf());
  writeFileSync(join(root, 'tiny.json'), '{ "id": ""');
  await expect(run(join(root, 'model.gguf'))).rejects.toThrow('tiny.json is not valid JSON');
  writeFileSync(join(root, 'tiny.json'), '{ "id": "" }');
  await expect(run(join(root, 'model.gguf'))).rejects.toThrow('tiny.json: id: Invalid length');
});

test.each([
  [[], 'The checkpoint is missing.'],
  [['a', 'b', '--model', 'x', '--out', 'y'], 'Only one checkpoint can be packed. Remove b.'],
  [['a', '--out', 'y'], '--model is missing.'],
  [['a', '--model', 'x'], '--out is missing.'],
  [['--what'], "Unknown option '--what'"],
])('wrong arguments are named, with the usage: %j', async (args, problem) => {
  await expect(packCommand(args)).rejects.toThrow(problem);
  await expect(packCommand(args)).rejects.toThrow('Usage: slashv1 pack <checkpoint>');
});
