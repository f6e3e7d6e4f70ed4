/** Page → service worker. */
export type ToServiceWorker =
  /** Take control of every page in scope, uncontrolled ones included. */
  | { type: 'slashv1:claim' }
  /** From the leader's page, with one port to its engine host in `ports`. */
  | { type: 'slashv1:engine' }
  /** From any page, with one port in `ports` that is to be joined to the engine host. */
  | { type: 'slashv1:connect' };

/** Service worker → pages. */
export type ToPage =
  /** The leader answers with `slashv1:engine`; the others do nothing. */
  | { type: 'slashv1:engine-wanted' }
  /** To the leader: join the port in `ports` to its engine host. */
  | { type: 'slashv1:attach' };

/** Page → engine worker. */
export type ToEngineWorker =
  | { type: 'slashv1:configure'; config: EngineConfig }
  /** A client's port is in `ports`. */
  | { type: 'slashv1:attach' };

/** What the engine worker must know of its surroundings. All URLs absolute, folders end in "/". */
export interface EngineConfig {
  /** Folder of `packs/index.json`. */
  base: string;
  /** The model hub, e.g. `https://huggingface.co/`. */
  hub: string;
}

/** Under the base URL, answered by the service worker alone, without a key. */
export const HEALTH_PATH = 'v1/.slashv1';
/** Sent only by the service worker, so that a page can tell its answer from a server's. */
export const HEALTH_HEADER = 'x-slashv1';
