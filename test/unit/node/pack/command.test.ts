import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { packCommand } from '../../../../src/node/pack/command.ts';
import { readPackFolder } from '../../../../src/node/pack-files.ts';
import { ggufBytes, type Field } from '../../../support/gguf/gguf-bytes.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { ggufTensors, METADATA, tinyGguf, writeSnapshot } from './tiny-llama.ts';
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
  return write.mock.calls.map(([text]) => String(text)).join('');
}

/** With what the file says of its origin. */
async function runAlone(origin: Record<string, string>): Promise<string> {
  const fields = Object.entries(origin).map(([key, string]) => [`general.${key}`, { string }]);
  const metadata: Record<string, Field> = { ...METADATA, ...Object.fromEntries(fields) };
  writeFileSync(join(root, 'model.gguf'), ggufBytes(metadata, ggufTensors()));
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await packCommand([join(root, 'model.gguf'), '--out', join(root, 'out')]);
  return write.mock.calls.map(([text]) => String(text)).join('');
}

test('a GGUF file becomes a pack for both engines', async () => {
  writeFileSync(join(root, 'model.gguf'), tinyGguf());
  expect(await run(join(root, 'model.gguf'))).toMatch(
    /^test\/tiny for webllm \(q4f32_s8\): 6 files, 0\.0 MB, in .*\n.* for llamacpp \(F32\): 1 file, /,
  );
  const { files } = readPackFolder(join(root, 'out'));
  expect(files).toEqual(expect.arrayContaining(['params_shard_0.bin', 'model.gguf']));
});

test('a GGUF file alone becomes a pack for llama.cpp, named as the file says', async () => {
  const origin = { name: 'Tiny Llama 1B', organization: 'Some Lab', license: 'mit' };
  expect(await runAlone(origin)).toMatch(/^Some-Lab\/Tiny-Llama-1B for llamacpp \(F32\): 1 file, /);
  expect(JSON.parse(readFileSync(join(root, 'out/manifest.json'), 'utf8'))).toMatchObject({
    ownedBy: 'Some-Lab',
    license: 'mit',
    created: 0,
  });
});

test.each([
  [{ license: 'mit' }, "does not say the model's name. Write a JSON file"],
  [{ name: 'Tiny' }, "does not say the model's licence. Write a JSON file"],
])('what a GGUF file does not say must be given: %j', async (origin, message) => {
  await expect(runAlone(origin)).rejects.toThrow(message);
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
  [['a', '--model', 'x'], '--out is missing.'],
  [['--what'], "Unknown option '--what'"],
])('wrong arguments are named, with the usage: %j', async (args, problem) => {
  await expect(packCommand(args)).rejects.toThrow(problem);
  await expect(packCommand(args)).rejects.toThrow('Usage: slashv1 pack <checkpoint>');
});
