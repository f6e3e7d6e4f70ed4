import { createHash } from 'node:crypto';
import { ON_DEMAND_FILES } from '../../../../src/core/site/engine-files.ts';
import { VERSION_NOTE } from '../../../../src/core/version.ts';
import type { ReadLibrary } from '../../../../src/node/doctor/whole.ts';
import { serveHandler } from '../support/servers.ts';
import { bothEngines, GGUF_VARIANT } from '../../support/pack-manifests.ts';

interface SentFile {
  body: string;
  headers?: Record<string, string>;
  status?: number;
}

/** Path without the first "/" → what the server sends. */
export type SentFiles = Record<string, SentFile>;

const TYPES: Record<string, string> = {
  js: 'text/javascript',
  json: 'application/json',
  wasm: 'application/wasm',
  html: 'text/html; charset=utf-8',
};

const WEIGHTS = 'the weights';

/** A site without a fault, in the folder `app/`. */
export function soundSite(): SentFiles {
  const scripts = ['sw.js', 'sw-api.js', 'engine.js', ...ON_DEMAND_FILES];
  const manifest = {
    ...bothEngines('test/tiny'),
    variants: [
      {
        ...GGUF_VARIANT,
        files: [{ path: 'model.gguf', size: WEIGHTS.length, sha256: sha256(WEIGHTS) }],
      },
    ],
  };
  const bodies: Record<string, string> = {
    ...Object.fromEntries(scripts.map((name) => [name, `${VERSION_NOTE}//`])),
    'sw.js': `${VERSION_NOTE}//self.__WB_MANIFEST//`,
    'index.html': '<!doctype html><title>A site</title>',
    'packs/index.json': JSON.stringify({
      packs: ['tiny/'],
      manifests: { 'tiny/': manifest },
    }),
    'packs/tiny/manifest.json': JSON.stringify(manifest),
    'packs/tiny/model.gguf': WEIGHTS,
  };
  const isolated = {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
  };
  return Object.fromEntries(
    Object.entries(bodies).map(([name, body]) => [`app/${name}`, { body, headers: isolated }]),
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Reads the library that the site's files were copied from. */
export function libraryOf(files: SentFiles): ReadLibrary {
  return (name) => {
    const body = files[`app/${name}`]?.body;
    return body === undefined ? undefined : Buffer.from(body);
  };
}

/** Serves the files until the test has ended. Returns the URL of the page. */
export async function serveSite(files: SentFiles): Promise<URL> {
  const origin = await serveHandler(({ url = '/' }, response) => {
    const name = url.slice(1).replace(/\/$/, '/index.html');
    const { body, headers, status = 200 } = files[name] ?? { body: 'not here', status: 404 };
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
  });
  return new URL('app/', `${origin}/`);
}
