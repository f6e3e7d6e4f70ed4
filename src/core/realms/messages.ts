import * as v from 'valibot';
import { VERSION } from '../version.ts';
import type { KvCacheType } from './kv-cache-type.ts';
import type { ComputeDevice, TextEngineName } from './device-report.ts';

/**
 * Version of the messages between page library, service worker and engine worker. Tabs may run
 * different builds of the site, so their messages may cross. The version changes only if two builds could
 * not work together; an addition that the other side can ignore does not change it.
 */
export const PROTOCOL = '4';

/** The Web Lock that the leading tab of a folder holds, or the tab that leads next. @param base - URL of the folder */
export function electionLock(name: 'leader' | 'heir', base: string): string {
  return `slashv1:${name}:${base}`;
}

/**
 * Page → service worker. Any page of the origin can post to it, so messages are checked. They use only the
 * kinds of schemas that requests use, because each kind makes the service worker larger.
 */
export const toServiceWorkerSchema = v.union([
  /** Take control of every page in scope, uncontrolled ones included. `loaded`: URLs that the page has loaded so far. */
  v.object({
    type: v.picklist(['slashv1:claim']),
    loaded: v.optional(v.array(v.string())),
  }),
  /** A sign of life: Firefox ends a service worker that gets no events. */
  v.object({ type: v.picklist(['slashv1:awake']) }),
  /** The sender wants a port to the engine host. Its nonce returns with the port. */
  v.object({ type: v.picklist(['slashv1:connect']), nonce: v.optional(v.string()) }),
  /** To the active version: a newer one waits, and may take over when no answer is under way. */
  v.object({ type: v.picklist(['slashv1:update-waits']) }),
  /** From the active version to the waiting one: take over. With the protocol of the open tabs. */
  v.object({ type: v.picklist(['slashv1:take-over']), protocol: v.string() }),
  /** From the leader: a port to its engine host, in `ports`, for a client or for the worker itself. */
  v.object({
    type: v.picklist(['slashv1:port']),
    for: v.nullable(v.string()),
    /** The Web Lock that the host holds as long as it lives. */
    lock: v.string(),
    /** Nonce of the request for this port. */
    nonce: v.optional(v.string()),
  }),
  /** From the leader, instead of a port: its engine cannot start. */
  v.object({
    type: v.picklist(['slashv1:no-port']),
    for: v.nullable(v.string()),
    nonce: v.optional(v.string()),
    /** Why, for people. */
    message: v.string(),
  }),
]);

export type ToServiceWorker = v.InferOutput<typeof toServiceWorkerSchema>;

/** Service worker → pages. */
export type ToPage =
  /**
   * The leader answers with `slashv1:port` or `slashv1:no-port`; the others do nothing. A service worker reaches the pages of all
   * deployments on its origin: `base` says which one is meant. Without a nonce, it wants the port for itself.
   */
  | {
      type: 'slashv1:port-wanted';
      for: string | null;
      nonce?: string | undefined;
      base: string;
    }
  /** The answer to a claim, by a site's own service worker that does not allow it. */
  | { type: 'slashv1:claim-refused' }
  /**
   * A page that was started with this upstream answers on the port in `ports`, then to each id that arrives there; the
   * others do nothing.
   */
  | { type: 'slashv1:headers-wanted'; base: string; name: string; baseURL: string; id: number }
  /** Answers are under way: send a sign of life soon. */
  | { type: 'slashv1:keep-awake' }
  /** A port to the engine host, in `ports`, and the Web Lock that it holds as long as it lives. */
  | { type: 'slashv1:port'; lock: string; nonce?: string | undefined }
  /** Instead of a port: the leader's engine cannot start. */
  | { type: 'slashv1:no-port'; message: string; nonce?: string | undefined };

/** The page's answer to `slashv1:headers-wanted`; without headers, because the site's function has failed. */
export interface HeadersAnswer {
  /** Id of the question. */
  id: number;
  headers?: Record<string, string>;
  /** The headers stay the same as long as this Web Lock is held. */
  lock?: string;
}

/**
 * The Web Lock that the pages of a folder share whose engine outlives them: it ends a while after the last has gone. Pages
 * of another version have another engine. @param base - URL of the folder
 */
export function pagesLock(base: string): string {
  return `slashv1:pages:${VERSION}:${base}`;
}

/** Page → engine worker. */
export type ToEngineWorker =
  /**
   * `kept`: the values that earlier workers of this page sent with `slashv1:keep`. `hung`: Web Lock of the page's last worker
   * that was ended because it hung.
   */
  | {
      type: 'slashv1:configure';
      config: EngineConfig;
      kept?: ReadonlyMap<string, object>;
      hung?: string | undefined;
    }
  /** Web Locks of the engine workers that pages ended themselves; sent at the start and when they change. */
  | { type: 'slashv1:ended'; locks: string[] }
  /** A sign of life is wanted: a worker that does not answer hangs. */
  | { type: 'slashv1:ping' }
  /** A client's port is in `ports`. */
  | { type: 'slashv1:attach' }
  /** A worker that it has asked for could not be started, or has thrown. */
  | { type: 'slashv1:worker-failed'; id: number; message: string }
  /** To an engine that outlives its pages, which they cannot end otherwise. */
  | { type: 'slashv1:end' };

/** Engine worker → the page that made it. */
export type FromEngineWorker =
  /** The answer to `slashv1:configure`: the Web Lock that it holds as long as it lives. */
  | { type: 'slashv1:alive'; lock: string; version: string }
  | { type: 'slashv1:pong' }
  /** Keep this for the next worker, in case this one ends; in memory only. Undefined: keep it no longer. */
  | { type: 'slashv1:keep'; key: string; value: object | undefined }
  /** Start a worker or, without a name, a script in the page. The sender's port to it is in `ports`. */
  | { type: 'slashv1:start-worker'; id: number; script: string; name: string }
  | { type: 'slashv1:end-worker'; id: number }
  /** This worker cannot be trusted any more and must be replaced. */
  | { type: 'slashv1:broken' };

/**
 * The name of the worker of a model.
 *
 * @param task - for people, e.g. `speech`
 */
export function workerName(task: string): string {
  return `slashv1 ${task}`;
}

/**
 * Whether a worker needs WebCodecs, which read what browsers record. SharedWorkers have none, so it is a worker of a page,
 * even if the engine outlives that. Voices outlive it: they need none for WAV, MP3 and PCM.
 *
 * @param name - of `workerName`
 */
export function needsCodecs(name: string): boolean {
  return name === workerName('hearing');
}

/** Message of a worker that the page has started for the engine: its first one over the port to the engine. */
export const SCRIPT_HAS_RUN = 'slashv1:script-has-run';

/** The engine's last message to such a worker. A page can end a worker only if that does not outlive pages. */
export const END_WORKER = 'slashv1:end-worker';

/** What the engine worker must know about its site and device. URLs are absolute, folders end in "/". */
export interface EngineConfig {
  /** Protocol of the page: the engine's script may be from a newer build. */
  protocol: string;
  /** Folder of `packs/index.json`. */
  base: string;
  /** The model hub; undefined or empty: Hugging Face's. */
  hub?: string | undefined;
  /** Folder of WebLLM's prebuilt model libraries; undefined or empty: WebLLM's own. */
  libraries?: string | undefined;
  /** The engines that may write text; undefined: all. */
  engines?: TextEngineName[] | undefined;
  /** Threads of llama.cpp in cross-origin isolated pages; undefined: as many as are fastest. */
  threads?: number | undefined;
  /** The device is a phone or a tablet; a worker cannot always tell. */
  isPhone?: boolean | undefined;
  /** Memory that the loaded models may take together, bytes; undefined: what the device suggests. */
  memoryBudget?: number | undefined;
  /** Context length for GGUF models that write text, tokens; undefined: what suits the device. */
  contextLength?: number | undefined;
  /** KV caches of GGUF models that write text and can have this type; undefined: `f16`. */
  kvCacheType?: KvCacheType | undefined;
  /** After this long without a request a model leaves memory, milliseconds; default: five minutes. */
  unloadAfterMs?: number | undefined;
  /** A second tab keeps the same models in memory, so each of the two tabs gets half of the memory. */
  standby?: boolean | undefined;
  /**
   * The engine runs in a worker that outlives the page, if the browser has such workers. `auto`: unless threads would
   * make it faster.
   */
  outlive?: boolean | 'auto' | undefined;
  /** The page may have a model of its browser: `built-in.js` knows. */
  hasBuiltIn?: boolean | undefined;
  /** Device for GGUF models; undefined: what the device suggests. */
  llamacppDevice?: ComputeDevice | undefined;
  /** Device for models with ONNX graphs; undefined: what the device suggests. */
  speechDevice?: ComputeDevice | undefined;
  /** Threads for speech on the CPU in cross-origin isolated pages; undefined: what the device suggests. */
  speechThreads?: number | undefined;
}

/** Path below the base URL that only the service worker answers, without a key. */
export const HEALTH_PATH = 'v1/.slashv1';
/** Header with the service worker's protocol. No server sends it, so a page can tell who answered. */
export const HEALTH_HEADER = 'x-slashv1';
/** Header with the version of the package, sent with `HEALTH_HEADER`. */
export const VERSION_HEADER = 'x-slashv1-version';
