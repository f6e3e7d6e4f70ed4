import * as v from 'valibot';
import type {
  LlamaModule,
  LlamaModuleFactory,
  LlamaModuleOptions,
} from '../../../../models/llamacpp/module.ts';
import { whileSlow } from '../../../core/async/while-slow.ts';
import { importScript } from '../../../core/site/import-script.ts';
import { siteFile, wasmFault } from '../../workers/site-file.ts';
import { llamacppThreads, type ThreadScope } from '../../scheduling/threads.ts';
import { rejectsWithItsWorkers, type WorkerScope } from './worker-failures.ts';

/** llama.cpp without a model. */
export interface OpenedModule {
  module: LlamaModule;
  /** How many threads it has. */
  mostThreads: number;
}

/** @param threads - how many are wanted; undefined: as many as the device suggests */
export type OpenModule = (threads: number | undefined) => Promise<OpenedModule>;

/** The build with threads, at its place in the site. */
interface ThreadedBuild {
  script: URL;
  wasm: URL;
}

/** The script of the build with threads. */
const scriptSchema = v.object({
  default: v.custom<LlamaModuleFactory>((value) => typeof value === 'function'),
});

/**
 * Opens the build with threads if they can share memory, and the build without threads otherwise.
 *
 * @param create - the build without threads
 */
export function moduleOpener(
  create: LlamaModuleFactory,
  wasm: URL,
  threaded: ThreadedBuild,
  scope: ThreadScope & WorkerScope,
): OpenModule {
  return async (wanted) => {
    const { count: most } = llamacppThreads(wanted, scope);
    if (most > 1) {
      const module = await rejectsWithItsWorkers(scope, () => openThreaded(threaded, most)).catch(
        () => undefined,
      );
      // A site may lack the files or forbid such workers, and a device lack the memory for their stacks.
      if (module) return { module, mostThreads: most };
    }
    try {
      return { module: await started(wasm, create(moduleOptions(wasm))), mostThreads: 1 };
    } catch (error) {
      throw await wasmFault(wasm, error);
    }
  };
}

async function openThreaded(
  { script, wasm }: ThreadedBuild,
  threads: number,
): Promise<LlamaModule> {
  const { default: create } = await importScript(script, (found) => v.parse(scriptSchema, found));
  return started(wasm, create({ ...moduleOptions(wasm), threads }));
}

/**
 * A build of llama.cpp, once it has started.
 *
 * @param wasm - URL of its WebAssembly, which it fetches itself: only so do browsers keep what they have compiled
 * @throws ApiError 500 if that cannot be fetched, although the build still waits for it; any error of the build
 */
export function started<M>(wasm: URL, starting: Promise<M>): Promise<M> {
  return whileSlow(starting, () => siteFile(wasm));
}

/** @param wasm - URL of the build's WebAssembly */
export function moduleOptions(wasm: URL): LlamaModuleOptions {
  return {
    locateFile: () => wasm.href,
    // llama.cpp writes a report of hundreds of lines for each model. Its errors come with `LlamaError`.
    print: () => undefined,
    printErr: () => undefined,
  };
}
