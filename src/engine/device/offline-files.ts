import { BUILT_IN } from '../../core/realms/built-in.ts';
import { LLAMACPP, onDemandCache, WEBLLM_URL } from '../../core/site/engine-files.ts';
import { ENGLISH_URL, MP3_ENCODER, ONNX_BUILDS } from '../../core/site/onnx-files.ts';
import type { CatalogEntry } from '../../core/catalog/catalog-entry.ts';
import type { Variant } from '../../core/catalog/variant.ts';

/** The files that an engine needs to start, one set for each of its builds. The first set works everywhere. */
const FILES: Record<Variant['engine'], string[][]> = {
  webllm: [[WEBLLM_URL]],
  llamacpp: [
    [LLAMACPP.script, LLAMACPP.wasm],
    [LLAMACPP.script, LLAMACPP.threadWasm],
    [LLAMACPP.script, LLAMACPP.gpuWasm],
  ],
  onnx: [ONNX_BUILDS.wasm, ONNX_BUILDS.webgpu].map(({ script, wasm }) => [script, wasm]),
  builtin: [[BUILT_IN]],
};

/** The files that speech needs in addition. */
const OF_SPEECH = [ENGLISH_URL, MP3_ENCODER];

/** A request that prefers the browser's cache: a file there is the one that was loaded, and isn't fetched again. */
function ofBrowser(url: URL): Request {
  return new Request(url, { cache: 'force-cache' });
}

/**
 * Caches the files of an engine that has loaded a model, so that it can load the model offline, too. The service
 * worker caches only the requests that it sees: on a first visit, a model may be loaded before the service worker
 * controls the engine.
 *
 * @param base - URL of the folder that the files are in
 */
export async function keepEngineFiles(
  { engine }: Pick<Variant, 'engine'>,
  { task }: Pick<CatalogEntry, 'task'>,
  base: string,
): Promise<void> {
  const [plain = [], ...others] = FILES[engine];
  const cache = await caches.open(onDemandCache(new URL(base).pathname));
  const isKept = async (file: string) => (await cache.match(new URL(file, base))) !== undefined;
  for (const files of [plain, ...others]) {
    const found = await Promise.all(files.map(isKept));
    if (!found.includes(false)) return;
  }
  const files = task === 'speech' ? [...plain, ...OF_SPEECH] : plain;
  // A site may lack some files, and the disk may be full, so failures are ignored.
  await Promise.allSettled(files.map((file) => cache.add(ofBrowser(new URL(file, base)))));
}
