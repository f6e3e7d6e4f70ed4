import type { StartOptions } from '../../index.ts';

declare global {
  /** What the site of this console gives to `start()`: a script of its own sets it before the console's. */
  var slashv1Options: StartOptions | undefined;
}

/** How the site wants the API to start. */
export function siteOptions(): StartOptions {
  return globalThis.slashv1Options ?? {};
}

/** Names of the servers to which questions may go on. */
export function upstreamNames(): string[] {
  return (siteOptions().upstreams ?? []).map(({ name }) => name);
}
