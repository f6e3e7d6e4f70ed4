import { readFileSync, statSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { SourceMap } from 'node:module';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { beforeAll, expect, inject, test } from 'vitest';
import * as v from 'valibot';
import { relativeLinks } from '../../scripts/build/readme-links.ts';
import { withRelativeLinks } from '../support/relative-links.ts';

/** Megabytes: what `npm i slashv1` downloads. */
const LARGEST = 24.6;
/** Node's `require` and the resolution from before `exports`: the package is for bundlers and `import`. */
const NOT_SUPPORTED = new Set(['node10', 'node16-cjs']);

const FREE = new Set([
  'MIT',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'MPL-2.0',
]);

let tarball: Buffer<ArrayBuffer>;
let files: string[];

function packed(name: string): string {
  return execFileSync('tar', ['-xzOf', inject('tarball'), `package/${name}`], {
    encoding: 'utf8',
    // Source maps are larger than Node's default.
    maxBuffer: 16e6,
  });
}

beforeAll(() => {
  tarball = Buffer.from(readFileSync(inject('tarball')));
  const list = execFileSync('tar', ['-tzf', inject('tarball')], { encoding: 'utf8' });
  files = list
    .trim()
    .split('\n')
    .map((name) => name.replace('package/', ''));
});

test('publint finds nothing wrong with the tarball', async () => {
  const { buffer, byteOffset, byteLength } = tarball;
  const { messages, pkg } = await publint({
    pack: { tarball: buffer.slice(byteOffset, byteOffset + byteLength) },
    strict: true,
  });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

test('its types are right for every bundler and for Node', async () => {
  const contents = createPackageFromTarballData(new Uint8Array(tarball));
  const typed = { entrypoints: ['.', 'check-request', 'connect', 'prompt-api', 'sw', 'vite'] };
  const result = await checkPackage(contents, typed);
  if (!result.types) throw new Error('The tarball has no types.');
  const problems = result.problems.filter(
    (problem) => !('resolutionKind' in problem && NOT_SUPPORTED.has(problem.resolutionKind)),
  );
  expect(problems).toEqual([]);
});

test('it has the library, the command line, tiny-chat and the means to pack the default model', () => {
  expect(files).toEqual(
    expect.arrayContaining([
      ...['dist/lib/slashv1.js', 'dist/lib/sw.js', 'dist/lib/engine.js', 'dist/node/cli.js'],
      'dist/lib/sw-api.js',
      ...['dist/lib/handle.js', 'dist/lib/slashv1-sw.js', 'dist/types/sw/handle.d.ts'],
      ...['dist/lib/prompt-api.js', 'dist/types/src/prompt-api/index.d.ts'],
      ...['dist/lib/check-request.js', 'dist/types/sw/checking/index.d.ts'],
      ...['dist/lib/connect.js', 'dist/types/src/page/frame/connect.d.ts'],
      ...['dist/types/src/index.d.ts', 'models/packs/tiny-chat/manifest.json'],
      ...['models/smollm2-135m.json', 'models/library/built/smollm2-135m.wasm'],
      ...['README.md', 'CHANGELOG.md', 'LICENSE'],
    ]),
  );
});

test.each([
  ['slashv1.js', 'valibot'],
  ['prompt-api.js', 'eventsource-parser'],
  ['check-request.js', 'valibot'],
  ['sw.js', 'valibot'],
  ['sw-api.js', 'valibot'],
  ['handle.js', 'valibot'],
  ['slashv1-sw.js', 'valibot'],
  ['api.js', 'valibot'],
  ['engine.js', 'hash-wasm'],
  ['webllm.js', '@mlc-ai/web-llm'],
  ['llamacpp.js', 'llama.cpp and ggml'],
  ['onnx.js', '@huggingface/transformers'],
  ['onnx-gpu.js', 'Silero VAD'],
  ['speech-english.js', 'phonemize'],
  ['files-pdf.js', 'unpdf'],
])(
  '%s has the licences of what it contains beside it, and none forbids its use',
  (script, name) => {
    const notices = packed(`dist/lib/${script}.notices.md`);
    const licences = [...notices.matchAll(/^## (.+) - .*\((.+)\)$/gm)];
    expect(licences.map(([, part]) => part)).toContain(name);
    expect(licences.filter(([, , licence]) => !FREE.has(licence ?? ''))).toEqual([]);
    expect(notices.match(/^## /gm)).toHaveLength(licences.length);
  },
);

test.each(['slashv1.js', 'sw.js', 'sw-api.js', 'api.js', 'engine.js', 'handle.js'])(
  '%s has a source map, with which its first statement leads to the sources',
  (script) => {
    const code = packed(`dist/lib/${script}`);
    expect(code).toContain(`\n//# sourceMappingURL=${script}.map\n`);
    const map = new SourceMap(JSON.parse(packed(`dist/lib/${script}.map`)));
    const { originalSource, originalLine } = { ...map.findEntry(1, 200) };
    const index = map.payload.sources.indexOf(originalSource ?? '');
    const source = map.payload.sourcesContent[index]?.split('\n') ?? [];
    expect(source.length).toBeGreaterThan(originalLine ?? Number.POSITIVE_INFINITY);
  },
);

test.each(['llamacpp.js', 'speech-english.js', 'files-pdf.js'])(
  '%s has a source map that leads to our own sources',
  (script) => {
    expect(packed(`dist/lib/${script}`)).toContain(`\n//# sourceMappingURL=${script}.map\n`);
    const { payload } = new SourceMap(JSON.parse(packed(`dist/lib/${script}.map`)));
    expect(payload.sources.length).toBeGreaterThan(2);
    expect(payload.sources.filter((source) => !/\/(?:src|models)\//.test(source))).toEqual([]);
    expect(payload.sourcesContent.every((source) => source.length > 0)).toBe(true);
  },
);

test('it brings no other packages and runs no script when it is installed', () => {
  const { dependencies, scripts } = v.parse(
    v.object({
      dependencies: v.optional(v.record(v.string(), v.string())),
      scripts: v.record(v.string(), v.string()),
    }),
    JSON.parse(packed('package.json')),
  );
  expect(dependencies).toBeUndefined();
  const atInstall = ['preinstall', 'install', 'postinstall', 'prepare'];
  expect(Object.keys(scripts).filter((name) => atInstall.includes(name))).toEqual([]);
});

test('its changelog begins with its version', () => {
  const { version } = v.parse(
    v.object({ version: v.string() }),
    JSON.parse(packed('package.json')),
  );
  expect(/^## (.*)$/m.exec(packed('CHANGELOG.md'))?.[1]).toBe(version);
});

test('every link of the README into the repository leads to a file of the package', () => {
  const links = relativeLinks(withRelativeLinks(packed('README.md'), packed('package.json')));
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((link) => !files.includes(link.replace(/#.*/, '')))).toEqual([]);
});

test(`its size is at most ${LARGEST} MB`, () => {
  expect(statSync(inject('tarball')).size / 1e6).toBeLessThan(LARGEST);
});
