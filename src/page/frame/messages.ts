/** What a frame posts to its parent's window, with a port that the parent answers on. */
export interface ConnectMessage {
  type: 'slashv1:frame-connect';
  /** Identifies one call of `connect`, which repeats its message until it is answered. */
  nonce: string;
  /** When the frame's document was loaded, Unix milliseconds: it tells documents apart. */
  loadedAt: number;
}

/** Frame → parent, over the port. `id` is that of the request. */
export type FromFrame =
  | {
      type: 'request';
      id: number;
      url: string;
      method: string;
      headers: [string, string][];
      /** Undefined: none. */
      body: ArrayBuffer | undefined;
    }
  /** The next chunk of the response's body is wanted. */
  | { type: 'pull'; id: number }
  /** The client no longer wants the response. */
  | { type: 'cancel'; id: number }
  /** The frame ends. */
  | { type: 'bye' };

/** Parent → frame, over the port. */
export type ToFrame =
  | { type: 'ready'; baseURL: string; apiKey: string }
  | {
      type: 'response';
      id: number;
      status: number;
      headers: [string, string][];
      hasBody: boolean;
    }
  | { type: 'chunk'; id: number; bytes: Uint8Array<ArrayBuffer> }
  /** The body is complete. */
  | { type: 'end'; id: number }
  | { type: 'failed'; id: number; message: string }
  /** The parent lends nothing any more: all responses under way break. */
  | { type: 'revoked' };
