import { workerScript } from '../../core/site/site-script.ts';

/** A worker that hosts the engine or a model. An `error` event says that its script has failed. */
export interface HostWorker extends Pick<Worker, 'addEventListener' | 'terminate'> {
  postMessage(message: unknown, ports: MessagePort[]): void;
}

/**
 * Starts a worker of slashv1.
 *
 * @param name - for debugging
 * @throws DOMException if the browser refuses the script
 */
export type StartHostWorker = (script: URL, name: string) => HostWorker;

/** Starts workers that end with the page. */
export const startPageWorker: StartHostWorker = (script, name) =>
  new Worker(workerScript(script), { type: 'module', name });
