import {
  requestChannel,
  type ApiRequest,
  type RequestMessage,
} from '../../src/core/realms/api-request.ts';
import { webLocks } from '../../src/core/port/web-lock.ts';
import { RequestReport, type ReportedRequest, type Watching } from './request-report.ts';

/** How long watching pages may take to answer, milliseconds. */
const ASK_MS = 1_000;

/**
 * Reports the requests that are answered here to watching pages. If no page watches, requests are not followed, except
 * in the first second: until then it is not known whether one watches.
 */
export class RequestLog implements Watching {
  readonly #scope: string;
  readonly #host = `slashv1:requests:${crypto.randomUUID()}`;
  /** Whether each watching page wants contents, by its Web Lock. */
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
    // A watching page must find the lock held.
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
