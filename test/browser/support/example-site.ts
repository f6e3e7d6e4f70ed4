import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { serveTestSite, type TestSite } from './site.ts';

const EXAMPLES = new URL('../../../examples/', import.meta.url).pathname;
const OWN_FILE = /^\/(?:[\w-]+\.(?:html|css|js)|notes\/[\w.-]+)$/;
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
};

export interface ExampleSite extends TestSite {
  /** Path → another text. */
  changed: Map<string, string>;
}

/**
 * An example that needs no build: its folder with the library's files and packs in it.
 *
 * @param name - of its folder
 */
export async function serveExample(name: string, packs: string[]): Promise<ExampleSite> {
  const site = await serveTestSite('/', packs);
  const changed = new Map<string, string>();
  site.intercept = ({ url = '' }, response) => {
    const path = url === '/' ? '/index.html' : url;
    const text = changed.get(path) ?? exampleFile(name, path);
    if (text === undefined) return false;
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain' }).end(text);
    return true;
  };
  return Object.assign(site, { changed });
}

/** A file of an example; undefined: it has none of this name. */
export function exampleFile(name: string, path: string): string | undefined {
  const file = join(EXAMPLES, name, path);
  return OWN_FILE.test(path) && existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
