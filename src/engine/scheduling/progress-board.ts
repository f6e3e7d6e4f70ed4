import type { ProgressEvent, Progress } from '../../core/operations/events/events.ts';
import { orAborted } from '../../core/async/or-aborted.ts';
import { totalBytes } from '../../core/catalog/variant.ts';
import type { InstalledModel } from '../download/installer/installed-model.ts';

/** The latest progress of every model, for any number of watchers. */
export class ProgressBoard {
  readonly #latest = new Map<string, Progress>();
  readonly #watchers = new Set<(event: ProgressEvent) => void>();

  report(progress: Progress): void {
    this.#latest.set(progress.model, progress);
    for (const emit of this.#watchers) emit({ type: 'progress', progress });
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

  /** Tells the current state, then every change until the signal aborts. */
  async watch(signal: AbortSignal, emit: (event: ProgressEvent) => void): Promise<void> {
    for (const event of this.states()) emit(event);
    this.#watchers.add(emit);
    await orAborted(new Promise<never>(() => undefined), signal)
      .catch(() => undefined)
      .finally(() => this.#watchers.delete(emit));
  }
}
