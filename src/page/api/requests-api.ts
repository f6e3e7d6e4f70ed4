import type { ApiRequest } from '../../core/realms/api-request.ts';

export interface WatchOptions {
  /**
   * Also record the bodies and answers of requests, from now on: `body` and `answers`. They are sent to those who
   * watch with this option only, and stored nowhere. Default: false.
   */
  contents?: boolean;
}

export interface Requests {
  /**
   * Reports every request to the API of this site from now on, of every tab, frame and worker: when it begins, as it
   * goes on, and when it ends, each time as a whole, with the same `id`. What the listener throws is reported as
   * uncaught. Requests are only followed while someone watches.
   *
   * @returns unsubscribes; `stop` does so, too
   */
  watch(listener: (request: ApiRequest) => void, options?: WatchOptions): Promise<() => void>;
}
