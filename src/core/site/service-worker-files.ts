import { VERSION } from '../version.ts';

/** slashv1 for a site's own service worker, in `dist/lib`: a module, and a classic script to put beside that worker. */
export const HANDLE = { module: 'handle.js', script: 'slashv1-sw.js' };

/** slashv1's own service worker, in `dist/lib` and in the site's folder, and the part of it that answers requests. */
export const SERVICE_WORKER = { script: 'sw.js', api: 'sw-api.js' };

/** The part's address names its version, so that no cache in between gives an older part to a newer service worker. */
export const SERVICE_WORKER_API_URL = `${SERVICE_WORKER.api}?${VERSION}`;

/** A parameter in the URL of `sw.js`: the service worker makes pages cross-origin isolated. */
export const ISOLATE = 'isolate';
