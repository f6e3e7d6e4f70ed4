/** A dedicated worker of this page with a library in it. It answers requests in their order. */
export class WorkerRequests<To, From extends { type: string }> {
  readonly #worker: Worker;
  readonly #waiting: PromiseWithResolvers<From>[] = [];

  /** @param script - URL of the worker */
  constructor(script: string | URL) {
    this.#worker = new Worker(script, { type: 'module' });
    this.#worker.onerror = ({ message }) => this.#waiting.shift()?.reject(new Error(message));
    this.#worker.onmessage = ({
      data,
    }: MessageEvent<From | { type: 'failed'; message: string }>) => {
      const asked = this.#waiting.shift();
      if ('message' in data) asked?.reject(new Error(data.message));
      else asked?.resolve(data);
    };
  }

  /** @throws Error with the worker's message if it answers `failed` */
  send(message: To): Promise<From> {
    const asked = Promise.withResolvers<From>();
    this.#waiting.push(asked);
    this.#worker.postMessage(message);
    return asked.promise;
  }
}
