import * as v from 'valibot';

/**
 * What page library, service worker and engine worker say to each other, and to those of another build
 * of the site, which other tabs may have open. Changes only when two builds could not work together:
 * what the other side can ignore may be added without.
 */
export const PROTOCOL = '2';

/** Page → service worker. Anything of the origin may post there: it is checked. */
export const toServiceWorkerSchema = v.variant('type', [
  /** Take control of every page in scope, uncontrolled ones included. */
  v.object({ type: v.literal('slashv1:claim') }),
  /** A sign of life: an event, without which Firefox ends a service worker. */
  v.object({ type: v.literal('slashv1:awake') }),
  /** The sender wants a port to the engine host. */
  v.object({ type: v.literal('slashv1:connect') }),
  /** To the active one: a newer version waits, and may take over when no answer is under way. */
  v.object({ type: v.literal('slashv1:update-waits') }),
  /** From the active one to the one that waits: now. With the protocol of the tabs that are open. */
  v.object({ type: v.literal('slashv1:take-over'), protocol: v.string() }),
  /** From the leader: a port to its engine host, in `ports`, for a client or for the worker itself. */
  v.object({
    type: v.literal('slashv1:port'),
    for: v.nullable(v.string()),
    /** The Web Lock that the host holds as long as it lives. */
    lock: v.string(),
  }),
]);

export type ToServiceWorker = v.InferOutput<typeof toServiceWorkerSchema>;

/** Service worker → pages. */
export type ToPage =
  /** The leader answers with `slashv1:port`; the others do nothing. */
  | { type: 'slashv1:port-wanted'; for: string | null }
  /** Answers are under way: give a sign of life in a while. */
  | { type: 'slashv1:keep-awake' }
  /** A port to the engine host, in `ports`, and the Web Lock that it holds as long as it lives. */
  | { type: 'slashv1:port'; lock: string };

/** Page → engine worker. */
export type ToEngineWorker =
  | { type: 'slashv1:configure'; config: EngineConfig }
  /** To be answered: a worker that hangs cannot. */
  | { type: 'slashv1:ping' }
  /** A client's port is in `ports`. */
  | { type: 'slashv1:attach' };

/** Engine worker → the page that made it. */
export type FromEngineWorker =
  /** Once, at its beginning: the Web Lock that it holds as long as it lives. */
  | { type: 'slashv1:alive'; lock: string }
  | { type: 'slashv1:pong' }
  /** This worker cannot be trusted any more and is to be replaced. */
  | { type: 'slashv1:broken' };

/** What computes speech: the CPU, by WebAssembly, or the GPU. */
export type SpeechDevice = 'wasm' | 'webgpu';

/** What the engine worker must know of its surroundings. All URLs absolute, folders end in "/". */
export interface EngineConfig {
  /** Of the page: the engine's script may be of a newer build. */
  protocol: string;
  /** Folder of `packs/index.json`. */
  base: string;
  /** The model hub, e.g. `https://huggingface.co/`. */
  hub: string;
  /** Folder of WebLLM's prebuilt model libraries. */
  libraries: string;
  /** Memory that the loaded models may take together, bytes; undefined: what the device suggests. */
  memoryBudget?: number | undefined;
  /** After this long without a request a model leaves memory, milliseconds; default: five minutes. */
  unloadAfterMs?: number | undefined;
  /** Another tab has all of this once more: for both together is the memory. */
  standby?: boolean | undefined;
  /** What speech is to run on; undefined: what the device suggests. */
  speechDevice?: SpeechDevice | undefined;
  /** For speech on the CPU, where pages are cross-origin isolated; undefined: what the device suggests. */
  speechThreads?: number | undefined;
}

/** Under the base URL, answered by the service worker alone, without a key. */
export const HEALTH_PATH = 'v1/.slashv1';
/** Sent only by the service worker, with its protocol: a page can tell its answer from a server's. */
export const HEALTH_HEADER = 'x-slashv1';
