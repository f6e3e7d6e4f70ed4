import type { ProgressEvent, Progress } from '../../core/operations/events.ts';
import { EventQueue } from '../../core/async/event-queue.ts';
import { totalBytes } from '../../core/catalog/variant.ts';
import type { InstalledModel } from '../download/installer/installed-model.ts';

/** The latest progress of every model, for any number of watchers. */
export class ProgressBoard {
  readonly #latest = new Map<string, Progress>();
  readonly #watchers = new Set<EventQueue<ProgressEvent>>();

  report(progress: Progress): void {
    this.#latest.set(progress.model, progress);
    for (const watcher of this.#watchers) watcher.push({ type: 'progress', progress });
  }

  /**
   * Reports how far a model is loaded.
   *
   * @param done - the part that is done, 0 to 1
   */
  reportLoad(
    { entry, installation }: Pick<InstalledModel, 'entry' | 'installation'>,
    stage: 'load' | 'ready',
    done: number,
    text: string,
  ): void {
    const total = totalBytes(installation.files);
    const loadedBytes = Math.round(done * total);
    this.report({ model: entry.id, stage, loadedBytes, totalBytes: total, text });
  }

  /** Reports that a model has left memory, or failed to load. */
  reportEnd(model: string, stage: 'unloaded' | 'failed', text: string): void {
    this.report({ model, stage, loadedBytes: 0, totalBytes: 0, text });
  }

  /** The current state of every model that has reported something. */
  *states(): Generator<ProgressEvent, void, undefined> {
    for (const progress of this.#latest.values()) yield { type: 'progress', progress };
  }

  /** The current state, then every change until the signal aborts. */
  async *watch(signal: AbortSignal): AsyncGenerator<ProgressEvent, void, undefined> {
    const queue = new EventQueue<ProgressEvent>();
    const stop = () => queue.end();
    signal.addEventListener('abort', stop, { once: true });
    this.#watchers.add(queue);
    for (const event of this.states()) queue.push(event);
    try {
      if (!signal.aborted) yield* queue;
    } finally {
      this.#watchers.delete(queue);
      signal.removeEventListener('abort', stop);
    }
  }
}
