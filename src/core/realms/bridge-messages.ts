import * as v from 'valibot';
import { KV_CACHE_TYPES } from './kv-cache-type.ts';

/**
 * The protocol between the command line's HTTP bridge and the page that answers its requests, over one
 * WebSocket. Text frames are these messages as JSON. A binary frame is a piece of the body of a request
 * (to the page) or of its answer (to the bridge): the request's id as a big-endian uint32, then the bytes.
 */
export const BRIDGE_PATH = 'bridge';
/** The WebSocket's subprotocol. The page offers its one-time token as a second subprotocol. */
export const BRIDGE_PROTOCOL = 'slashv1-bridge';
/** At most this many bytes of an answer are in flight, so that a slow client slows down only its own answer. */
export const BRIDGE_WINDOW_BYTES = 256 * 1024;

const ID_BYTES = 4;

const idSchema = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(0xffffffff));
const headersSchema = v.array(v.tuple([v.string(), v.string()]));

/** A server that requests may be forwarded to, and the token for it, which is in memory only. */
const upstreamSchema = v.object({
  name: v.string(),
  baseURL: v.string(),
  token: v.optional(v.string()),
});

const routeEntrySchema = v.union([
  v.string(),
  v.object({ to: v.string(), maxQueue: v.exactOptional(v.number()) }),
]);

/** Options of `start` that the command line knows. */
const optionsSchema = v.object({
  contextLength: v.exactOptional(v.number()),
  kvCacheType: v.exactOptional(v.picklist(KV_CACHE_TYPES)),
  files: v.exactOptional(v.boolean()),
  hear: v.exactOptional(v.string()),
  mcp: v.exactOptional(v.object({ servers: v.array(v.string()) })),
  routes: v.exactOptional(v.record(v.string(), v.array(routeEntrySchema))),
  upstreams: v.exactOptional(v.array(upstreamSchema)),
});

const toPageSchema = v.variant('type', [
  /**
   * The first message: start the API with this key and these options, load this model, and install the others. With
   * `reportsRequests`, report all requests.
   */
  v.object({
    type: v.literal('start'),
    apiKey: v.string(),
    model: v.optional(v.string()),
    others: v.optional(v.array(v.string())),
    reportsRequests: v.optional(v.boolean()),
    options: optionsSchema,
  }),
  /** `path` is the path below the base URL, with the query: `/models/a%2Fb?c`. Body frames follow, if any. */
  v.object({
    type: v.literal('request'),
    id: idSchema,
    method: v.string(),
    path: v.string(),
    headers: headersSchema,
  }),
  /** The request is complete. */
  v.object({ type: v.literal('request-end'), id: idSchema }),
  /** The client has disconnected. The page sends nothing more for this request. */
  v.object({ type: v.literal('abort'), id: idSchema }),
  /** The client has taken this many more bytes of the answer. */
  v.object({ type: v.literal('credit'), id: idSchema, bytes: v.number() }),
]);

const progressSchema = v.object({
  model: v.string(),
  stage: v.picklist(['download', 'paused', 'installed', 'load', 'ready', 'unloaded', 'failed']),
  loadedBytes: v.number(),
  totalBytes: v.number(),
  text: v.string(),
});

/** A request that has ended, as `requests.watch()` reports it. */
const requestSchema = v.object({
  at: v.number(),
  method: v.string(),
  endpoint: v.string(),
  key: v.optional(v.string()),
  model: v.optional(v.string()),
  upstream: v.optional(v.string()),
  status: v.optional(v.number()),
  durationMs: v.number(),
  firstTokenMs: v.optional(v.number()),
  tokensPerSecond: v.optional(v.number()),
  promptTokens: v.optional(v.number()),
  cachedTokens: v.optional(v.number()),
  completionTokens: v.optional(v.number()),
  finishReason: v.optional(v.string()),
  error: v.optional(v.object({ code: v.nullable(v.string()) })),
});

const fromPageSchema = v.variant('type', [
  v.object({ type: v.literal('progress'), progress: progressSchema }),
  v.object({ type: v.literal('watched'), request: requestSchema }),
  /** The API has started. Requests may follow. */
  v.object({ type: v.literal('ready') }),
  /** The API could not be started. The code is that of a StartError. */
  v.object({ type: v.literal('failed'), message: v.string(), code: v.optional(v.string()) }),
  /** Status and headers of an answer. Its body follows. */
  v.object({
    type: v.literal('response'),
    id: idSchema,
    status: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
    headers: headersSchema,
  }),
  /** The answer is complete. */
  v.object({ type: v.literal('response-end'), id: idSchema }),
  /** The answer could not be made, or broke off. */
  v.object({ type: v.literal('response-error'), id: idSchema, message: v.string() }),
]);

export type BridgedUpstream = v.InferOutput<typeof upstreamSchema>;
export type BridgedOptions = v.InferOutput<typeof optionsSchema>;
export type ToBridgePage = v.InferOutput<typeof toPageSchema>;
export type FromBridgePage = v.InferOutput<typeof fromPageSchema>;
export type WatchedRequest = v.InferOutput<typeof requestSchema>;
export type BridgeRequest = Extract<ToBridgePage, { type: 'request' }>;
export type BridgeResponse = Extract<FromBridgePage, { type: 'response' }>;

/** A piece of the body of request `id` or of its answer. */
export interface BodyFrame {
  id: number;
  bytes: Uint8Array<ArrayBuffer>;
}

/** @throws ValiError or SyntaxError */
export function parseToBridgePage(text: string): ToBridgePage {
  return v.parse(toPageSchema, JSON.parse(text));
}

/** @throws ValiError or SyntaxError */
export function parseFromBridgePage(text: string): FromBridgePage {
  return v.parse(fromPageSchema, JSON.parse(text));
}

export function encodeBodyFrame(id: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(ID_BYTES + bytes.length);
  new DataView(frame.buffer).setUint32(0, id);
  frame.set(bytes, ID_BYTES);
  return frame;
}

/** The bytes are a view of the frame. @throws RangeError for a frame without an id */
export function decodeBodyFrame(frame: Uint8Array<ArrayBuffer>): BodyFrame {
  const { buffer, byteOffset, byteLength } = frame;
  const id = new DataView(buffer, byteOffset, byteLength).getUint32(0);
  return { id, bytes: frame.subarray(ID_BYTES) };
}
