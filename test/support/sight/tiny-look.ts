import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { VISION } from '../../../src/core/catalog/catalog-entry.ts';
import { ensurePack } from '../../../src/node/pack/writing/ensure-pack.ts';
import { sha256 } from '../../../src/node/pack/writing/hash.ts';
import { variantFiles, writeManifest } from '../../../src/node/pack/writing/manifest.ts';
import { replaceFolder } from '../../../src/node/pack/writing/replace-folder.ts';
import { MADE_FROM } from '../../../src/node/pack/writing/write-pack.ts';
import { seededRandom } from '../../../scripts/seeded-random.ts';

const NAME = 'tiny-look';
const MODELS = new URL('../../../models/', import.meta.url);
const LIBRARY = new URL('library/built/tiny-look.wasm', MODELS);
const TINY_CHAT = new URL('packs/tiny-chat/', MODELS);
/** Sizes from models/library/shapes/tiny-look.json. */
const SIZES = { context_window_size: 4096, prefill_chunk_size: 2560 };
const [FEATURES, WIDTH, HIDDEN] = [48, 64, 128];
const SHARD = 'params_shard_1.bin';
const COPIED = ['params_shard_0.bin', 'tokenizer.json', 'tokenizer_config.json'];

/** Tensors of the image tower with their largest values. The weights are random, always the same ones. */
const EYE: [name: string, shape: number[], most: number][] = [
  ['eye.w1', [FEATURES, WIDTH], 0.25],
  ['eye.b1', [WIDTH], 0.5],
  ['eye.w2', [WIDTH, HIDDEN], 0.1],
  ['eye.marks', [2, HIDDEN], 0.15],
];

/**
 * The folder of a pack for WebLLM that sees, made in `<cache>/packs` if it is missing: tiny-chat with an image tower
 * that it was not trained with. Its answers make no sense, but numpy computes the same ones.
 */
export function ensureTinyLook(cache: string): Promise<string> {
  const folder = resolve(cache, 'packs', NAME);
  const inputs = [readFileSync(new URL(import.meta.url)), readFileSync(LIBRARY)];
  const madeFrom = sha256(inputs.map((input) => sha256(input)).join());
  const log = (line: string) => process.stderr.write(`test: ${line}\n`);
  const make = async () => replaceFolder(folder, (temporary) => write(temporary, madeFrom));
  return ensurePack({ folder, madeFrom, what: 'the model for WebLLM that sees', log, make });
}

function write(folder: string, madeFrom: string): void {
  copyFileSync(LIBRARY, join(folder, 'model.wasm'));
  for (const name of COPIED) copyFileSync(new URL(name, TINY_CHAT), join(folder, name));
  const json = (name: string, content: object) =>
    writeFileSync(join(folder, name), JSON.stringify(content));
  const config = read('mlc-chat-config.json');
  json('mlc-chat-config.json', {
    ...config,
    ...SIZES,
    model_type: 'phi3_v',
    model_config: { ...v.parse(object, config['model_config']), ...SIZES },
  });
  const cacheIndex = v.parse(indexSchema, read('tensor-cache.json'));
  json('tensor-cache.json', { ...cacheIndex, records: [...cacheIndex.records, eyeShard(folder)] });
  writeManifest(folder, {
    id: 'slashv1/tiny-look',
    task: 'chat',
    ownedBy: 'slashv1',
    created: 1795219200,
    license: 'mit',
    contextLength: SIZES.context_window_size,
    features: [VISION],
    variants: [
      {
        engine: 'webllm',
        quantization: 'q4f32_s8',
        needs: { memoryBytes: 9_000_000 },
        modelLibrary: 'model.wasm',
        ...variantFiles(folder),
      },
    ],
  });
  writeFileSync(join(folder, MADE_FROM), madeFrom);
}

const object = v.record(v.string(), v.unknown());
const indexSchema = v.looseObject({ records: v.array(v.unknown()) });

function read(name: string): Record<string, unknown> {
  return v.parse(object, JSON.parse(readFileSync(new URL(name, TINY_CHAT), 'utf8')));
}

/** Writes the weights of the image tower. @returns their record in the index */
function eyeShard(folder: string): object {
  const random = seededRandom(5);
  const values: number[] = [];
  const records = EYE.map(([name, shape, most]) => {
    const byteOffset = 4 * values.length;
    const count = shape.reduce((product, size) => product * size);
    for (let index = 0; index < count; index++) values.push(most * (2 * random() - 1));
    return { name, shape, dtype: 'float32', format: 'raw', nbytes: 4 * count, byteOffset };
  });
  const bytes = new Uint8Array(Float32Array.from(values).buffer);
  writeFileSync(join(folder, SHARD), bytes);
  return { dataPath: SHARD, format: 'raw-shard', nbytes: bytes.length, records };
}
