import type { Endpoint } from '../../core/realms/endpoints.ts';

/** What a key may do. The limits hold wherever it is used, and end nothing that has begun. */
export interface KeyOptions {
  /** For people. Default: none. */
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
  /** When it ends, Unix milliseconds; undefined: when it is revoked. */
  expiresAt?: number;
  /** As in StartOptions, for requests with this key. */
  autoInstall?: boolean;
  /** It may load, unload, install and remove models over HTTP. The key of start() always may. */
  manageModels?: boolean;
  /** Its requests stay on this device, whatever `upstreams` the page has. */
  deviceOnly?: boolean;
}

export interface KeyInfo extends Omit<KeyOptions, 'deviceOnly'> {
  /** Hex SHA-256 of the key: identifies it without revealing it. */
  id: string;
  label: string;
  /** Unix milliseconds. */
  createdAt: number;
  /** When a request came with it last, Unix milliseconds, to the minute; undefined: never. */
  lastUsedAt?: number;
  /** How much of `tokensPerDay` is used; undefined: there is no such limit. */
  tokensToday?: number;
  /** Names of the upstreams that its requests may go on to; undefined: they stay on this device. */
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
