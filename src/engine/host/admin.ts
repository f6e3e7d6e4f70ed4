import { engineOf, withoutEvents, type Engine } from '../../core/port/engine.ts';
import type { DeviceReport } from '../../core/realms/device-report.ts';
import type {
  AddedEvent,
  DeviceEvent,
  EventOf,
  FoundEvent,
  ListedEvent,
  ProgressEvent,
  ProgressStage,
} from '../../core/operations/events.ts';
import type { FoundModel } from '../../core/operations/found-model.ts';
import type { JobOf } from '../../core/operations/jobs.ts';
import type { CatalogModel } from '../../core/catalog/catalog-model.ts';
import type { ProgressBoard } from '../scheduling/progress-board.ts';
import type { Installer } from '../download/installer/installer.ts';

interface Parts {
  installer: Pick<Installer, 'pause' | 'add' | 'addFiles'> & {
    install: (...given: Parameters<Installer['install']>) => Promise<unknown>;
  };
  progress: ProgressBoard;
  list: () => Promise<CatalogModel[]>;
  /** Asks the hub for what the catalog does not know of a model. */
  learn: (model: string, signal: AbortSignal) => Promise<void>;
  search: (wanted: JobOf<'search'>, signal: AbortSignal) => Promise<FoundModel[]>;
  report: () => Promise<DeviceReport>;
}

/** What concerns the catalog, the weight store and the device, and no model's engine. */
export type AdminOperation =
  'install' | 'pause' | 'add' | 'list' | 'inspect' | 'search' | 'device' | 'states' | 'watch';

const IN_USE: ReadonlySet<ProgressStage> = new Set(['load', 'ready']);

/** Installs, adds and lists models, and reports the progress of all. */
export class Admin implements Engine<AdminOperation> {
  readonly #parts: Parts;
  readonly #engine = engineOf<AdminOperation>({
    install: (job, signal) => withoutEvents(() => this.#install(job, signal)),
    pause: ({ model }) => withoutEvents(async () => this.#parts.installer.pause(model)),
    add: (job, signal) => this.#add(job, signal),
    list: () => this.#list(),
    inspect: (job, signal) => this.#inspect(job.model, signal),
    search: (job, signal) => this.#search(job, signal),
    device: () => this.#device(),
    states: () => this.#states(),
    watch: (_job, signal) => this.#parts.progress.watch(signal),
  });

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  run<Op extends AdminOperation>(job: JobOf<Op>, signal: AbortSignal): AsyncIterable<EventOf<Op>> {
    return this.#engine.run(job, signal);
  }

  async #install(job: JobOf<'install'>, signal: AbortSignal): Promise<void> {
    await this.#parts.installer.install(job.model, signal, this.#roomFor(job));
  }

  async *#add(job: JobOf<'add'>, signal: AbortSignal): AsyncGenerator<AddedEvent, void, undefined> {
    const { installer } = this.#parts;
    const { source, files } = job;
    const adding = files
      ? installer.addFiles(files, signal, this.#roomFor(job))
      : installer.add(source, signal);
    yield { type: 'added', model: (await adding).id };
  }

  #roomFor({ makeRoom }: Pick<JobOf<'install'>, 'makeRoom'>) {
    return makeRoom ? { keep: this.#inUse() } : {};
  }

  async *#list(): AsyncGenerator<ListedEvent, void, undefined> {
    yield { type: 'listed', models: await this.#parts.list() };
  }

  async *#inspect(
    model: string,
    signal: AbortSignal,
  ): AsyncGenerator<ListedEvent, void, undefined> {
    await this.#parts.learn(model, signal);
    const models = await this.#parts.list();
    yield { type: 'listed', models: models.filter(({ id }) => id === model) };
  }

  async *#search(
    job: JobOf<'search'>,
    signal: AbortSignal,
  ): AsyncGenerator<FoundEvent, void, undefined> {
    yield { type: 'found', models: await this.#parts.search(job, signal) };
  }

  async *#device(): AsyncGenerator<DeviceEvent, void, undefined> {
    yield { type: 'device', device: await this.#parts.report() };
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
