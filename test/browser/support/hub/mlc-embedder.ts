import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelLibURLPrefix, prebuiltAppConfig } from '@mlc-ai/web-llm';
import { packFiles } from './pack-files.ts';
import { serveRepositories, type RepositoryHub } from './repositories.ts';
import { PACKS, ROOT } from '../site.ts';

/** An embedder that no list names: tiny-embed for WebLLM. */
export const MLC_EMBEDDER = 'o/tiny-embed-q0f32-MLC';
/** tiny-embed for WebLLM, but no file says how its vectors are made. */
export const BARE_EMBEDDER = 'o/bare-q0f32-MLC';
/** An embedder of WebLLM's own list. Here it has the files of tiny-embed. */
export const PREBUILT_EMBEDDER = 'mlc-ai/snowflake-arctic-embed-s-q0f32-MLC';
/** The base model of PREBUILT_EMBEDDER. */
const SNOWFLAKE = 'Snowflake/snowflake-arctic-embed-s';

const LIBRARIES = 'o/libraries';
/** Paths of PREBUILT_EMBEDDER's model libraries, below the folder of libraries. */
const LIBRARY_PATHS = prebuiltAppConfig.model_list
  .filter(({ model }) => model.endsWith(PREBUILT_EMBEDDER))
  .map(({ model_lib }) => model_lib.replace(modelLibURLPrefix, ''));

/** Files that say how the vectors of tiny-embed are made. */
const DESCRIBING = [
  ...['config.json', 'modules.json', '1_Pooling/config.json'],
  ...['sentence_bert_config.json', 'config_sentence_transformers.json'],
];

export interface MlcHub extends RepositoryHub {
  /** Options of `start`. */
  options: { hub: string; libraries: string };
}

/** A hub with tiny-embed as an MLC model. */
export async function serveMlcEmbedder(): Promise<MlcHub> {
  const whole = new Map(
    packFiles('tiny-embed').map(({ path }) => [
      path,
      readFileSync(join(PACKS['tiny-embed'] ?? '', path)),
    ]),
  );
  const part = (paths: string[]) => new Map([...whole].filter(([path]) => paths.includes(path)));
  const described = (name: string) => readFileSync(join(ROOT, 'models/tiny-embed/mlc', name));
  const compiled = part(['tokenizer.json', 'tokenizer_config.json'])
    .set('mlc-chat-config.json', described('mlc-chat-config.json'))
    .set('tensor-cache.json', described('tensor-cache.json'))
    // The ONNX file serves as the shard: see models/tiny-embed/export_mlc.py.
    .set('params_shard_0.bin', whole.get('onnx/model.onnx') ?? Buffer.alloc(0));
  const library = readFileSync(join(ROOT, 'models/library/built/tiny-embed.wasm'));
  const hub = await serveRepositories(
    new Map([
      ...[MLC_EMBEDDER, BARE_EMBEDDER, PREBUILT_EMBEDDER].map((id) => [id, compiled] as const),
      ['o/tiny-embed', part(DESCRIBING)],
      [SNOWFLAKE, part(DESCRIBING)],
      [LIBRARIES, new Map(LIBRARY_PATHS.map((path) => [path, library]))],
    ]),
    { [MLC_EMBEDDER]: ['mlc-llm', 'base_model:o/tiny-embed'], [BARE_EMBEDDER]: ['mlc-llm'] },
  );
  const libraries = `${hub.url}${LIBRARIES}/resolve/main/`;
  return { ...hub, options: { hub: hub.url, libraries } };
}
