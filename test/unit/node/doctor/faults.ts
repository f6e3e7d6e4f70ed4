import { LLAMACPP } from '../../../../src/core/site/engine-files.ts';
import { SPEECH_FILES } from '../../../../src/core/site/onnx-files.ts';
import { VERSION_NOTE } from '../../../../src/core/version.ts';
import type { SentFiles } from './site.ts';

/** Changes a file of the site. */
export function change(files: SentFiles, name: string, to: Partial<SentFiles[string]>): void {
  const old = files[`app/${name}`] ?? { body: '' };
  files[`app/${name}`] = { ...old, ...to, headers: { ...old.headers, ...to.headers } };
}

/** Removes files of the site. */
export function remove(files: SentFiles, ...names: string[]): void {
  for (const name of names) delete files[`app/${name}`];
}

/** What may be wrong with a site, how it comes about, and what the doctor says of it. */
export const FAULTS: [string, (files: SentFiles) => void, RegExp][] = [
  [
    'the page is missing',
    (files) => remove(files, 'index.html'),
    /^problem: \/app\/: the server answers 404/,
  ],
  [
    'no service worker',
    (files) => remove(files, 'sw.js'),
    /^problem: \/app\/sw\.js is missing\. Run `npx slashv1 init`/,
  ],
  [
    'no API of the service worker',
    (files) => remove(files, 'sw-api.js'),
    /^problem: \/app\/sw-api\.js is missing\. Run `npx slashv1 init`/,
  ],
  ['no engine', (files) => remove(files, 'engine.js'), /^problem: \/app\/engine\.js is missing/],
  [
    'a page in place of a missing file',
    (files) =>
      change(files, 'engine.js', { body: '<html>', headers: { 'content-type': 'text/html' } }),
    /^problem: \/app\/engine\.js is missing/,
  ],
  [
    'a script of the wrong type',
    (files) => change(files, 'sw.js', { headers: { 'content-type': 'text/plain' } }),
    /^problem: \/app\/sw\.js: its type is "text\/plain"/,
  ],
  [
    'WebAssembly of the wrong type',
    (files) =>
      change(files, LLAMACPP.wasm, { headers: { 'content-type': 'application/octet-stream' } }),
    /^problem: \/app\/llamacpp\.wasm: its type .* must be application\/wasm/,
  ],
  [
    'an error of the server',
    (files) => change(files, 'engine.js', { status: 503 }),
    /^problem: \/app\/engine\.js: the server answers 503/,
  ],
  [
    'a service worker of the site',
    (files) => change(files, 'sw.js', { body: 'self.onpush = null' }),
    /^problem: \/app\/sw\.js is not of slashv1\. If it is your own .*handle\(\)/,
  ],
  [
    'files of two versions',
    (files) => change(files, 'engine.js', { body: '/*! slashv1 0.1.9 */' }),
    /^problem: The files are of different versions: \/app\/sw\.js 0\.2.*engine\.js 0\.1\.9/,
  ],
  [
    'one file of llama.cpp is missing',
    (files) => remove(files, LLAMACPP.wasm),
    /^problem: Of the files for text on the CPU these are missing: \/app\/llamacpp\.wasm/,
  ],
  [
    'no speech',
    (files) => remove(files, ...SPEECH_FILES),
    /^note: The site has no files for speech/,
  ],
  [
    'a cache that outlives updates',
    (files) =>
      change(files, 'engine.js', { headers: { 'cache-control': 'max-age=31536000, immutable' } }),
    /^problem: \/app\/engine\.js may be kept for long/,
  ],
  [
    'a page that is not isolated',
    (files) => (files['app/index.html'] = { body: '<html>' }),
    /^note: The server does not make the page cross-origin isolated/,
  ],
  [
    'an engine without the header that the page has',
    (files) => (files['app/engine.js'] = { body: files['app/engine.js']?.body ?? '' }),
    /^problem: \/app\/engine\.js has no Cross-Origin-Embedder-Policy, .* Use require-corp/,
  ],
  [
    'a policy without WebAssembly',
    (files) =>
      change(files, 'index.html', { headers: { 'content-security-policy': "default-src 'self'" } }),
    /^problem: \/app\/: its content security policy blocks WebAssembly\. Add script-src 'wasm-unsafe-eval'/,
  ],
  [
    'a policy without workers, in the page itself',
    (files) =>
      change(files, 'index.html', {
        body: `<meta http-equiv="Content-Security-Policy" content="worker-src 'none'">`,
      }),
    /^problem: \/app\/: its content security policy blocks workers/,
  ],
  [
    'a policy of the engine',
    (files) =>
      change(files, 'engine.js', {
        headers: { 'content-security-policy': "script-src 'self'; connect-src 'self'" },
      }),
    /^problem: \/app\/engine\.js: its content security policy blocks WebAssembly/,
  ],
  [
    'a policy that lets the engine import nothing',
    (files) =>
      change(files, 'engine.js', {
        headers: {
          'content-security-policy': "script-src 'wasm-unsafe-eval'; worker-src 'self'",
        },
      }),
    /^problem: \/app\/engine\.js: its content security policy blocks its own scripts\. Add script-src 'self'/,
  ],
  [
    'Trusted Types without the policy of slashv1',
    (files) =>
      change(files, 'index.html', {
        headers: {
          'content-security-policy': "require-trusted-types-for 'script'; trusted-types other",
        },
      }),
    /^problem: \/app\/: its content security policy blocks its Trusted Types\. Add slashv1 to trusted-types/,
  ],
  [
    'Trusted Types of the service worker alone',
    (files) =>
      change(files, 'sw.js', {
        headers: {
          'content-security-policy': "require-trusted-types-for 'script'; trusted-types 'none'",
        },
      }),
    /^problem: \/app\/sw\.js: its content security policy blocks its Trusted Types/,
  ],
  [
    'a sandbox without storage',
    (files) =>
      change(files, 'index.html', {
        headers: { 'content-security-policy': 'sandbox allow-scripts' },
      }),
    /^problem: \/app\/: its content security policy blocks storage.*allow-same-origin/,
  ],
  [
    'a service worker that may fetch nothing',
    (files) =>
      change(files, 'sw.js', { headers: { 'content-security-policy': "connect-src 'none'" } }),
    /^problem: \/app\/sw\.js: its content security policy blocks requests to \/v1\. Add connect-src 'self'/,
  ],
  [
    'a server that deletes the storage',
    (files) =>
      change(files, 'index.html', { headers: { 'clear-site-data': '"cache", "storage"' } }),
    /^problem: \/app\/: Clear-Site-Data deletes the models/,
  ],
  [
    'a script that was cut short',
    (files) => change(files, LLAMACPP.script, { body: `${VERSION_NOTE}/` }),
    /^problem: \/app\/llamacpp\.js was cut short: \d+ bytes instead of \d+\./,
  ],
  [
    'WebAssembly that was cut short',
    (files) => change(files, LLAMACPP.wasm, { body: VERSION_NOTE }),
    /^problem: \/app\/llamacpp\.wasm was cut short/,
  ],
  [
    'a service worker that was cut short',
    (files) => change(files, 'sw.js', { body: `${VERSION_NOTE}//[{"url":"index.html"}]` }),
    /^problem: \/app\/sw\.js was changed/,
  ],
  [
    'a script that something has rewritten',
    (files) => change(files, 'engine.js', { body: `${VERSION_NOTE}// minified once more` }),
    /^problem: \/app\/engine\.js was changed/,
  ],
  [
    'no packs',
    (files) => remove(files, 'packs/index.json'),
    /^note: .*no model comes with the site/,
  ],
  [
    'a broken list of packs',
    (files) => change(files, 'packs/index.json', { body: '{' }),
    /^problem: \/app\/packs\/index\.json is not a list of packs/,
  ],
  [
    'a pack that is not there',
    (files) => remove(files, 'packs/tiny/manifest.json'),
    /^problem: \/app\/packs\/tiny\/manifest\.json is missing/,
  ],
  [
    'a broken manifest',
    (files) => change(files, 'packs/tiny/manifest.json', { body: '{}' }),
    /^problem: .*manifest\.json is not a manifest/,
  ],
  [
    'a list with another manifest',
    (files) =>
      change(files, 'packs/index.json', {
        body: JSON.stringify({ packs: ['tiny/'], manifests: { 'tiny/': { version: 1 } } }),
      }),
    /^problem: packs\/index\.json has another manifest than \/app\/packs\/tiny\/manifest\.json/,
  ],
  [
    'no weights',
    (files) => remove(files, 'packs/tiny/model.gguf'),
    /^problem: .*model\.gguf is missing/,
  ],
  [
    'weights cut short',
    (files) => change(files, 'packs/tiny/model.gguf', { body: 'the' }),
    /^problem: .*model\.gguf has 3 bytes instead of 11\. Is it a pointer of Git LFS\?/,
  ],
  [
    'damaged weights',
    (files) => change(files, 'packs/tiny/model.gguf', { body: 'THE weights' }),
    /^problem: .*model\.gguf does not have the hash/,
  ],
];
