import type { Intercept } from './site.ts';

/** Makes what a server sends in place of a file. */
export type Fault = (content: Buffer, type: string) => (response: Parameters<Intercept>[1]) => void;

/**
 * What servers send, and what is said of it. The broken connection comes first: browsers keep files that they got, and if
 * a kept file is broken and its server fails, too, what is said is what is wrong with the file.
 */
export const FAULTS = {
  'a broken connection': [() => (response) => response.destroy(), /cannot be fetched|no model/],
  'the status 404': [() => (response) => response.writeHead(404).end(), /missing|no models?/],
  'the status 500': [() => (response) => response.writeHead(500).end(), /500|no model/],
  'a page': [
    () => (response) => response.writeHead(200, HTML).end('<!doctype html>'),
    /page in its place|no model|no manifest/,
  ],
  'an empty file': [
    (_, type) => (response) => response.writeHead(200, { 'content-type': type }).end(),
    /is empty|not the manifest/,
  ],
  'half of the file': [
    (content, type) => (response) =>
      response
        .writeHead(200, { 'content-type': type })
        .end(content.subarray(0, content.length / 2)),
    /does not run|cut off|damaged|could not be registered|failed to install|could not be loaded|not the manifest/,
  ],
} satisfies Record<string, [send: Fault, message: RegExp]>;
const HTML = { 'content-type': 'text/html; charset=utf-8' };
