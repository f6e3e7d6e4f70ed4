/** slashv1 for a site's own service worker, in `dist/lib`: a module, and a classic script for beside that worker. */
export const HANDLE = { module: 'handle.js', script: 'slashv1-sw.js' };

/** A parameter in the URL of `sw.js`: the service worker makes pages cross-origin isolated. */
export const ISOLATE = 'isolate';
