import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_IN } from '../core/realms/built-in.ts';
import {
  LLAMACPP_FILES,
  LLAMACPP_GPU_FILES,
  PDF_READER,
  MCP_CLIENT,
  WEBLLM,
} from '../core/site/engine-files.ts';
import { ONNX_FILES, SPEECH_FILES } from '../core/site/onnx-files.ts';
import { OUTLIVING, PAGE_API } from '../core/realms/page-api.ts';
import { HANDLE, SERVICE_WORKER } from '../core/site/service-worker-files.ts';
import { PACKAGE_FOLDER } from './package-folder.ts';

/** What a site uses. */
export interface UsedParts {
  /** slashv1's service worker. Without it, the site's own one calls `handle`. */
  sw: boolean;
  /** Text on the GPU: 6 MB. */
  webllm: boolean;
  /** Speech: 34 MB, of which embeddings share 32. */
  speech: boolean;
  /** Embeddings and reranking. */
  embeddings: boolean;
  /** Text on the CPU: 7 MB. */
  llamacpp: boolean;
  /** GGUF files on the GPU, beside `llamacpp`: 4 MB. */
  llamacppGpu: boolean;
  /** Searches in stored PDFs: 2 MB. */
  pdf: boolean;
}

/** Folder of this package's library. */
export const LIBRARY = join(PACKAGE_FOLDER, 'dist/lib');

/** slashv1's service worker, or the script that a site's own classic one imports. */
export function serviceWorkerFiles({ sw }: Pick<UsedParts, 'sw'>): string[] {
  return sw ? Object.values(SERVICE_WORKER) : [HANDLE.script];
}

/** The engine, and the files that it and the pages fetch when they need them. */
export function engineFiles({
  webllm,
  speech,
  embeddings,
  llamacpp,
  llamacppGpu,
  pdf,
}: Omit<UsedParts, 'sw'>): string[] {
  return [
    'engine.js',
    PAGE_API,
    OUTLIVING,
    BUILT_IN,
    MCP_CLIENT,
    ...(webllm ? [WEBLLM] : []),
    ...(llamacpp ? LLAMACPP_FILES : []),
    ...(llamacpp && llamacppGpu ? LLAMACPP_GPU_FILES : []),
    ...(speech || embeddings ? ONNX_FILES : []),
    ...(speech ? SPEECH_FILES : []),
    ...(pdf ? [PDF_READER] : []),
  ];
}

/** These files, and the source maps that the library has for them. No visitor downloads a map. */
export function withMaps(files: string[], folder = LIBRARY): string[] {
  return files.flatMap((file) => {
    const map = `${file}.map`;
    return existsSync(join(folder, map)) ? [file, map] : [file];
  });
}

/** Path of a file of the library in `folder`; default: this package's own library. */
export function libraryFile(name: string, folder = LIBRARY): string {
  const path = join(folder, name);
  if (!existsSync(path))
    throw new Error(`${path} is missing: run \`npm run build\` in slashv1 first.`);
  return path;
}
