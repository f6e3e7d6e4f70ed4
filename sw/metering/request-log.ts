import {
  requestChannel,
  type ApiRequest,
  type RequestMessage,
} from '../../src/core/realms/api-request.ts';
import { webLocks } from '../../src/core/port/web-lock.ts';
import { RequestReport, type ReportedRequest, type Watching } from './request-report.ts';

/** A page that watches has answered by then, milliseconds. */
const ASK_MS = 1_000;

/**
 * Tells pages that watch of the requests that are answered here. If nobody watches, requests are not followed: only
 * those of the first second are, until it is known.
 */
export class RequestLog implements Watching {
  readonly #scope: string;
  readonly #host = `slashv1:requests:${crypto.randomUUID()}`;
  /** By the Web Lock of each that watches: whether it wants contents. */
  readonly #watchers = new Map<string, boolean>();
  #channel: BroadcastChannel | undefined;
  #held: Promise<unknown> | undefined;
  #isAsking = false;

  constructor(scope: string) {
    this.#scope = scope;
  }

  get isWatched(): boolean {
    return this.#isAsking || this.#watchers.size > 0;
  }

  get mayWantContents(): boolean {
    return this.#isAsking || this.wantsContents;
  }

  get wantsContents(): boolean {
    return [...this.#watchers.values()].includes(true);
  }

  /** Follows a request; undefined: nobody watches. */
  begin(request: ReportedRequest): RequestReport | undefined {
    this.#channel ??= this.#open();
    return this.isWatched ? new RequestReport(this, request) : undefined;
  }

  post(request: ApiRequest): void {
    // Who watches must find the lock held.
    this.#held ??= webLocks.hold(this.#host);
    const message: RequestMessage = { type: 'request', host: this.#host, request };
    void this.#held.then(() => this.#channel?.postMessage(message));
  }

  #open(): BroadcastChannel {
    const channel = new BroadcastChannel(requestChannel(this.#scope));
    channel.onmessage = ({ data }: MessageEvent<RequestMessage>) => {
      if (data.type !== 'watch') return;
      if (!this.#watchers.has(data.lock)) {
        webLocks.watch(data.lock, () => this.#watchers.delete(data.lock));
      }
      this.#watchers.set(data.lock, data.contents);
      const known: RequestMessage = { type: 'watched', lock: data.lock };
      channel.postMessage(known);
    };
    this.#isAsking = true;
    setTimeout(() => (this.#isAsking = false), ASK_MS);
    const question: RequestMessage = { type: 'who' };
    channel.postMessage(question);
    return channel;
  }
}
