import { BUILT_IN } from '../../core/realms/built-in.ts';
import {
  LLAMACPP,
  onDemandCache,
  WEBLLM_URL,
  WEBLLM_WORKER,
} from '../../core/realms/engine-files.ts';
import { ENGLISH_URL, MP3_ENCODER, ONNX_BUILDS } from '../../core/realms/onnx-files.ts';
import type { CatalogEntry } from '../../core/catalog/catalog-entry.ts';
import type { Variant } from '../../core/catalog/variant.ts';

/** The files that an engine begins with, one set for each of its builds. The first set works everywhere. */
const FILES: Record<Variant['engine'], string[][]> = {
  webllm: [[WEBLLM_URL]],
  llamacpp: [
    [LLAMACPP.script, LLAMACPP.wasm],
    [LLAMACPP.script, LLAMACPP.threadWasm],
  ],
  onnx: [ONNX_BUILDS.wasm, ONNX_BUILDS.webgpu].map(({ script, wasm }) => [script, wasm]),
  builtin: [[BUILT_IN]],
};

/** An embedder that WebLLM runs needs a worker beside it. */
const OF_WEBLLM_EMBEDDER = [[WEBLLM_WORKER, WEBLLM_URL]];

/** What speech needs beside them. */
const OF_SPEECH = [ENGLISH_URL, MP3_ENCODER];

/** The browser's cache may have it still: then this is the one that was loaded, and is not fetched again. */
function ofBrowser(url: URL): Request {
  return new Request(url, { cache: 'force-cache' });
}

/**
 * Keeps the files of an engine that has loaded a model, so that it can do so without a network too. The service
 * worker keeps what it sees, which is nothing until it controls the engine: on a first visit, a model may be
 * loaded before.
 *
 * @param base - URL of the folder that the files are in
 */
export async function keepEngineFiles(
  { engine }: Pick<Variant, 'engine'>,
  { task }: Pick<CatalogEntry, 'task'>,
  base: string,
): Promise<void> {
  const isWorker = engine === 'webllm' && task === 'embedding';
  const [plain = [], ...others] = isWorker ? OF_WEBLLM_EMBEDDER : FILES[engine];
  const cache = await caches.open(onDemandCache(new URL(base).pathname));
  const isKept = async (file: string) => (await cache.match(new URL(file, base))) !== undefined;
  for (const files of [plain, ...others]) {
    const found = await Promise.all(files.map(isKept));
    if (!found.includes(false)) return;
  }
  const files = task === 'speech' ? [...plain, ...OF_SPEECH] : plain;
  // A site may lack some of them, and a disk may be full: what can be kept is kept.
  await Promise.allSettled(files.map((file) => cache.add(ofBrowser(new URL(file, base)))));
}
