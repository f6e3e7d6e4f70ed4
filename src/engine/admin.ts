import { engineOf, withoutEvents, type Engine } from '../core/protocol/engine.ts';
import type { AddedEvent, EventOf, ProgressEvent, ProgressStage } from '../core/protocol/events.ts';
import type { JobOf } from '../core/protocol/jobs.ts';
import type { ProgressBoard } from './scheduling/progress-board.ts';
import type { Installer } from './weights/installer.ts';

interface Parts {
  installer: Pick<Installer, 'install' | 'pause' | 'add'>;
  progress: ProgressBoard;
}

/** What concerns the catalog and the weight store, and no model's engine. */
export type AdminOperation = 'install' | 'pause' | 'add' | 'states' | 'watch';

const IN_USE: ReadonlySet<ProgressStage> = new Set(['load', 'ready']);

/** Installs and adds models, and reports the progress of all. */
export class Admin implements Engine<AdminOperation> {
  readonly #parts: Parts;
  readonly #engine = engineOf<AdminOperation>({
    install: (job, signal) => withoutEvents(() => this.#install(job, signal)),
    pause: ({ model }) => withoutEvents(async () => this.#parts.installer.pause(model)),
    add: ({ source }, signal) => this.#add(source, signal),
    states: () => this.#states(),
    watch: (_job, signal) => this.#parts.progress.watch(signal),
  });

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  run<Op extends AdminOperation>(job: JobOf<Op>, signal: AbortSignal): AsyncIterable<EventOf<Op>> {
    return this.#engine.run(job, signal);
  }

  async #install({ model, makeRoom }: JobOf<'install'>, signal: AbortSignal): Promise<void> {
    const options = makeRoom ? { keep: this.#inUse() } : {};
    await this.#parts.installer.install(model, signal, options);
  }

  async *#add(source: string, signal: AbortSignal): AsyncGenerator<AddedEvent, void, undefined> {
    yield { type: 'added', model: (await this.#parts.installer.add(source, signal)).id };
  }

  async *#states(): AsyncGenerator<ProgressEvent, void, undefined> {
    yield* this.#parts.progress.states();
  }

  /** Ids of the models in memory, whatever their task. */
  #inUse(): Set<string> {
    const events = [...this.#parts.progress.states()];
    return new Set(
      events.flatMap(({ progress }) => (IN_USE.has(progress.stage) ? progress.model : [])),
    );
  }
}
