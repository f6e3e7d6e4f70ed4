/** A dedicated worker of this page with a library in it. It takes one request at a time. */
export class WorkerRequests<To, From extends { type: string }> {
  readonly #worker: Worker;

  /** @param script - URL of the worker */
  constructor(script: string | URL) {
    this.#worker = new Worker(script, { type: 'module' });
  }

  /** @throws Error with the worker's message if it answers `failed` */
  send(message: To): Promise<From> {
    return new Promise((resolve, reject) => {
      this.#worker.onerror = ({ message: reason }) => reject(new Error(reason));
      this.#worker.onmessage = ({
        data,
      }: MessageEvent<From | { type: 'failed'; message: string }>) => {
        if ('message' in data) reject(new Error(data.message));
        else resolve(data);
      };
      this.#worker.postMessage(message);
    });
  }
}
