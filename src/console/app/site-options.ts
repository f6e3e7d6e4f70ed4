import type { StartOptions } from '../../index.ts';

declare global {
  /** Options that the site passes to `start()`. The site's own script sets them before the console's script runs. */
  var slashv1Options: StartOptions | undefined;
}

/** The site's options for `start()`. Unless the site says otherwise, files that are too long for a model are stored. */
export function siteOptions(): StartOptions {
  return { files: true, ...globalThis.slashv1Options };
}

/** Names of the upstream servers that may answer questions. */
export function upstreamNames(): string[] {
  return (siteOptions().upstreams ?? []).map(({ name }) => name);
}
