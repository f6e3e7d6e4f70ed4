import type { Endpoint } from '../../../core/keys/endpoints.ts';

/** What a key may do. The limits apply wherever the key is used. They do not interrupt requests that have begun. */
export interface KeyOptions {
  /** A name that people read. Default: none. */
  label?: string;
  /** Ids of the only models that it may use; undefined: all. */
  models?: string[];
  /**
   * The only endpoints that it may use, such as `chat/completions`, with what is below them; undefined: all. Every key
   * may list its models.
   */
  endpoints?: Endpoint[];
  /**
   * Most tokens that its requests may read and write in a day of UTC, cached ones included. A request that begins
   * within the budget is finished. Speech has no tokens. Such a key is `deviceOnly`.
   */
  tokensPerDay?: number;
  /** When the key expires, Unix milliseconds; undefined: it is valid until it is revoked. */
  expiresAt?: number;
  /** `autoInstall` of StartOptions, for requests with this key. */
  autoInstall?: boolean;
  /** Whether the key may load, unload, install and remove models over HTTP. A session key of start() always may. */
  manageModels?: boolean;
  /** Whether requests with this key stay on this device, even if the page has `upstreams`. */
  deviceOnly?: boolean;
  /** `site`: with `start({ files })`, it has the files of the site's pages. Default: files of its own. */
  files?: 'site';
  /**
   * Whether its requests may keep prompts on disk, with `start({ promptCache: { disk: true } })`. They are the key's own and
   * end with it.
   */
  promptCache?: boolean;
}

export interface KeyInfo extends Omit<KeyOptions, 'deviceOnly' | 'files' | 'promptCache'> {
  /** Hex SHA-256 of the key: identifies it without revealing it. */
  id: string;
  label: string;
  /** Unix milliseconds. */
  createdAt: number;
  /** Time of the last request with this key, Unix milliseconds, to the minute; undefined: never used. */
  lastUsedAt?: number;
  /** Tokens of `tokensPerDay` that are used; undefined: the key has no such limit. */
  tokensToday?: number;
  /** Names of the upstreams that may get its requests; undefined: its requests stay on this device. */
  upstreams?: string[];
}

export interface Keys {
  /**
   * Creates a key that is valid until it expires or is revoked. Only its hash is stored: keep what this returns.
   *
   * @throws TypeError if an option has a wrong value
   */
  create(options?: KeyOptions): Promise<string>;
  /** Takes the key or its id. */
  revoke(keyOrId: string): Promise<void>;
  list(): Promise<KeyInfo[]>;
}
