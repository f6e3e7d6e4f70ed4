import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LLAMACPP, WEBLLM } from '../core/protocol/engine-files.ts';
import { SPEECH_FILES } from '../core/protocol/speech-files.ts';
import { PACKAGE_FOLDER } from './package-folder.ts';

/** What a site uses. */
export interface UsedParts {
  /** Text on the GPU: 6 MB. */
  webllm: boolean;
  /** Speech: 36 MB. */
  speech: boolean;
  /** Text on the CPU: 7 MB. */
  llamacpp: boolean;
}

const LIBRARY = join(PACKAGE_FOLDER, 'dist/lib');

/** The files that workers fetch when they need them, and the engine. `sw.js` is not among them. */
export function engineFiles({ webllm, speech, llamacpp }: UsedParts): string[] {
  return [
    'engine.js',
    ...(webllm ? [WEBLLM] : []),
    ...(llamacpp ? Object.values(LLAMACPP) : []),
    ...(speech ? SPEECH_FILES : []),
  ];
}

/** Path of a file of this package's library, or of another one in its place. */
export function libraryFile(name: string, folder = LIBRARY): string {
  const path = join(folder, name);
  if (!existsSync(path))
    throw new Error(`${path} is missing: run \`npm run build\` in slashv1 first.`);
  return path;
}
