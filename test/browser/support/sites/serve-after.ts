import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIBRARY_FOLDER, type TestSite } from '../site.ts';

/** Sends a script of the library when another file was asked for. */
export function serveAfter(site: TestSite, script: string, other: string): void {
  const content = readFileSync(join(LIBRARY_FOLDER, script));
  const asked = Promise.withResolvers<void>();
  site.intercept = ({ url }, response) => {
    if (url === `/${other}`) asked.resolve();
    if (url !== `/${script}`) return false;
    const headers = { 'content-type': 'text/javascript' };
    void asked.promise.then(() => response.writeHead(200, headers).end(content));
    return true;
  };
}
