import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Where llama.cpp's source is unpacked. */
const CACHE = `${ROOT}/.cache/llamacpp-source`;

/** The chat templates that come with llama.cpp's source: those of real models, whose texts are not ours to copy. */
export const TEMPLATES = `${CACHE}/llama_cpp_python-0.3.36/vendor/llama.cpp/models/templates`;

/** Fetches llama.cpp's source from PyPI, once. */
export function setup(): void {
  if (existsSync(TEMPLATES)) return;
  const fetch = 'mkdir -p "$CACHE" && . models/llamacpp/source.sh && fetch_source';
  execFileSync('bash', ['-ec', fetch], {
    cwd: ROOT,
    env: { ...process.env, CACHE },
    stdio: 'inherit',
  });
}
