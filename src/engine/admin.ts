import type { Job, JobEvent, ProgressStage } from '../core/protocol/engine.ts';
import type { ProgressBoard } from './scheduling/progress-board.ts';
import type { ModelLibrary } from './weights/installer.ts';

interface Parts {
  library: Pick<ModelLibrary, 'install' | 'pause' | 'add'>;
  progress: ProgressBoard;
}

/** Jobs that concern the catalog and the weight store, and no model's engine. */
export type AdminJob = Extract<Job, { op: 'install' | 'pause' | 'add' | 'states' | 'watch' }>;

const IN_USE: ReadonlySet<ProgressStage> = new Set(['load', 'ready']);

/** Installs and adds models, and reports the progress of all. */
export class Admin {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async *run(job: AdminJob, signal: AbortSignal): AsyncGenerator<JobEvent, void, undefined> {
    const { library, progress } = this.#parts;
    switch (job.op) {
      case 'install':
        await library.install(
          job.model,
          signal,
          job.makeRoom ? { makeRoomBut: this.#inUse() } : {},
        );
        return;
      case 'pause':
        library.pause(job.model);
        return;
      case 'add':
        yield { type: 'added', model: (await library.add(job.source, signal)).id };
        return;
      case 'states':
        yield* progress.states();
        return;
      case 'watch':
        yield* progress.watch(signal);
        return;
    }
  }

  /** Ids of the models in memory, whatever their task. */
  #inUse(): Set<string> {
    const events = [...this.#parts.progress.states()];
    return new Set(
      events.flatMap((event) =>
        event.type === 'progress' && IN_USE.has(event.progress.stage) ? event.progress.model : [],
      ),
    );
  }
}
