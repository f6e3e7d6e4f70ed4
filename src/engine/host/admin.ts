import type { DeviceReport } from '../../core/realms/device-report.ts';
import type { ProgressStage } from '../../core/operations/events/events.ts';
import type { FoundModel } from '../../core/operations/events/found-model.ts';
import type { JobOf } from '../../core/operations/jobs/jobs.ts';
import type { CatalogModel } from '../../core/catalog/catalog-model.ts';
import type { Context } from '../road/stage.ts';
import type { ProgressBoard } from '../scheduling/progress-board.ts';
import type { Installer } from '../download/installer/installer.ts';

interface AdminServices {
  installer: Pick<Installer, 'pause' | 'add' | 'addFiles'> & {
    install: (...given: Parameters<Installer['install']>) => Promise<unknown>;
  };
  progress: ProgressBoard;
  list: () => Promise<CatalogModel[]>;
  /** Asks the hub for facts about a model that the catalog lacks. */
  learn: (model: string, signal: AbortSignal) => Promise<void>;
  search: (wanted: JobOf<'search'>, signal: AbortSignal) => Promise<FoundModel[]>;
  report: () => Promise<DeviceReport>;
}

const IN_USE: ReadonlySet<ProgressStage> = new Set(['load', 'ready']);

/** The last stages of jobs about the catalog, the weight store and the device. They need no model's engine. */
export function adminStages({ installer, progress, list, learn, search, report }: AdminServices) {
  /** Ids of the models in memory, whatever their task. */
  const inUse = () => {
    const events = [...progress.states()];
    return new Set(
      events.flatMap(({ progress: { stage, model } }) => (IN_USE.has(stage) ? model : [])),
    );
  };
  const roomFor = ({ makeRoom }: Pick<JobOf<'install'>, 'makeRoom'>) =>
    makeRoom ? { keep: inUse() } : {};
  return {
    install: async ({ job, signal }: Pick<Context<'install'>, 'job' | 'signal'>) => {
      await installer.install(job.model, signal, roomFor(job));
    },
    pause: async ({ job }: Context<'pause'>) => {
      installer.pause(job.model);
    },
    add: async ({ job, signal, emit }: Context<'add'>) => {
      const adding = job.files
        ? installer.addFiles(job.files, signal, roomFor(job))
        : installer.add(job.source, signal);
      emit({ type: 'added', model: (await adding).id });
    },
    list: async ({ emit }: Context<'list'>) => {
      emit({ type: 'listed', models: await list(), device: await report() });
    },
    inspect: async ({ job, signal, emit }: Context<'inspect'>) => {
      await learn(job.model, signal);
      const models = await list();
      emit({ type: 'listed', models: models.filter(({ id }) => id === job.model) });
    },
    search: async ({ job, signal, emit }: Context<'search'>) => {
      emit({ type: 'found', models: await search(job, signal) });
    },
    device: async ({ emit }: Context<'device'>) => {
      emit({ type: 'device', device: await report() });
    },
    states: async ({ emit }: Context<'states'>) => {
      for (const event of progress.states()) emit(event);
    },
    watch: ({ signal, emit }: Context<'watch'>) => progress.watch(signal, emit),
  };
}
