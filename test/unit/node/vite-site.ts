import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import type { PrecacheEntry } from '../../../src/node/precache.ts';
import { slashv1, type Slashv1Options } from '../../../src/node/vite-plugin.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const entriesSchema = v.array(v.object({ url: v.string(), revision: v.nullable(v.string()) }));

export let root: string;

/** Writes a file of the site. */
export function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

/** The text of a file of the site. */
export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Writes a pack with a file beside it that is not of the pack. */
export function writePack(folder: string): void {
  const manifest = {
    format: 'slashv1-pack',
    version: 1,
    id: 'test/tiny',
    task: 'chat',
    ownedBy: 'test',
    created: 0,
    license: 'MIT',
    contextLength: 8,
    variants: [
      {
        engine: 'webllm',
        quantization: 'q4f32_s8',
        revision: '0a',
        modelLibrary: 'library.wasm',
        files: [
          { path: 'library.wasm', size: 4 },
          { path: 'weights/0.bin', size: 7 },
        ],
      },
    ],
  };
  write(`${folder}/manifest.json`, JSON.stringify(manifest));
  write(`${folder}/library.wasm`, '\0asm');
  write(`${folder}/weights/0.bin`, 'weights');
  write(`${folder}/notes.txt`, 'not of the pack');
}

/** Vite's options for the site. */
export function inline(options: Slashv1Options) {
  return {
    configFile: false as const,
    root,
    base: './',
    logLevel: 'silent' as const,
    plugins: [slashv1({ library: join(root, 'library'), ...options })],
  };
}

/** The argument of the precache call in the service worker that was written. */
export function precached(): PrecacheEntry[] {
  const [, json] = /precache\((.*)\);/.exec(read('dist/sw.js')) ?? [];
  return v.parse(entriesSchema, JSON.parse(json ?? 'null'));
}

/** Before each test: a site with two packs, and the library that it is built with. */
export function freshSite(): void {
  root = temporaryFolder();
  write('index.html', '<!doctype html><script type="module" src="./main.js"></script>');
  write('main.js', 'import "./main.css"; console.log("main")');
  write('main.css', 'body { color: red }');
  write('public/icons/icon.svg', '<svg/>');
  write('public/film.mp4', 'large');
  write('library/sw.js', 'precache(self.__WB_MANIFEST);');
  write('library/sw-api.js', 'answers()');
  write('library/engine.js', 'engine("slashv1")');
  write('library/slashv1-sw.js', 'handle()');
  write('library/api.js', 'api()');
  write('library/outlive.js', 'outlive()');
  write('library/built-in.js', 'builtIn()');
  write('library/webllm.js', 'webllm()');
  write('library/llamacpp.js', 'llama()');
  write('library/llamacpp.wasm', 'wasm of llama.cpp');
  write('library/llamacpp-threads.js', 'llamas()');
  write('library/llamacpp-threads.wasm', 'wasm with threads');
  write('library/llamacpp-gpu.js', 'llamaOnGpu()');
  write('library/llamacpp-gpu.wasm', 'wasm for GPUs');
  write('library/onnx.js', 'speech()');
  write('library/onnx.wasm', 'wasm');
  write('library/onnx-gpu.js', 'speechOnGpu()');
  write('library/mcp.js', 'mcp()');
  write('library/onnx-gpu.wasm', 'wasm with WebGPU');
  write('library/onnx-thread.js', 'thread()');
  write('library/onnx-voice.onnx', 'voice');
  write('library/speech-english.js', 'english()');
  write('library/speech-mp3.wasm', 'mp3');
  write('library/files-pdf.js', 'pdf()');
  writePack('models/tiny');
  writePack('models/other');
}
