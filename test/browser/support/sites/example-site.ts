import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { serveTestSite, type TestSite } from '../site.ts';

const EXAMPLES = new URL('../../../../examples/', import.meta.url).pathname;
const OWN_FILE = /^\/(?:[\w-]+\.(?:html|css|js)|notes\/[\w.-]+)$/;
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
};

export interface ExampleSite extends TestSite {
  /** Path → changed content. */
  changed: Map<string, string | Buffer>;
}

/**
 * Serves an example that needs no build: its folder with the library's files and packs in it.
 *
 * @param name - name of the example's folder
 */
export async function serveExample(name: string, packs: string[]): Promise<ExampleSite> {
  const site = await serveTestSite('/', packs);
  const changed = new Map<string, string | Buffer>();
  site.intercept = ({ url = '' }, response) => {
    const path = url === '/' ? '/index.html' : url;
    const content = changed.get(path) ?? exampleFile(name, path);
    if (content === undefined) return false;
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain' }).end(content);
    return true;
  };
  return Object.assign(site, { changed });
}

/** A file of an example; undefined: there is no such file. */
export function exampleFile(name: string, path: string): string | undefined {
  const file = join(EXAMPLES, name, path);
  return OWN_FILE.test(path) && existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
