import { BUILT_IN_MODEL } from '../../../core/realms/built-in.ts';
import type { DeviceReport } from '../../../core/realms/device-report.ts';
import { onlyEvent, type Engine } from '../../../core/port/engine.ts';
import type { JobOf } from '../../../core/operations/jobs/jobs.ts';
import type { Models } from './models-api.ts';
import type { MoreModels } from './more-models.ts';
import { onDemand } from '../page-api.ts';
import { loadBuiltIn } from '../../leader/model-workers.ts';

/** What knows the models. */
interface ModelSource {
  engine: Engine;
  /** URL of the site's folder. */
  base: string;
  /** The page's report, which each list renews. */
  device: DeviceReport;
}

/** The models of the page API: everything is a job for the engine, which alone knows the device. */
export function createModels(
  { engine, base, device }: ModelSource,
  more: () => Promise<MoreModels>,
): Models {
  return {
    list: async () => {
      const listed = await onlyEvent(engine, { op: 'list' }, never());
      Object.assign(device, listed.device);
      return listed.models;
    },
    add: async (source, { signal = never(), ...asked } = {}) => {
      if (typeof source !== 'string')
        return (await more()).addFiles([source].flat(), { signal, ...asked });
      return (await onlyEvent(engine, { ...asked, op: 'add', source }, signal)).model;
    },
    ...onDemand(more, ['inspect', 'search', 'measure', 'allow', 'persist']),
    install: async (id, options) => {
      // The browser downloads its own model only for the page with the click.
      if (id === BUILT_IN_MODEL) await (await loadBuiltIn(base)).download(options?.signal);
      await (await more()).download(id, options);
    },
    pause: (id) => finish(engine, { op: 'pause', model: id }),
    load: (id, { signal, ...asked } = {}) =>
      finish(engine, { ...asked, op: 'load', model: id }, signal),
    unload: (id) => finish(engine, { op: 'unload', model: id }),
    remove: (id) => finish(engine, { op: 'remove', model: id }),
  };
}

/**
 * Adds a model, downloads it unless it is installed, and loads it. If the engine can, it loads the model during the
 * download.
 *
 * @param source - as in `Models.add`
 */
export async function loadModel(engine: Engine, source: string, signal = never()): Promise<void> {
  const { model } = await onlyEvent(engine, { op: 'add', source }, signal);
  await finish(engine, { op: 'install', model, load: true }, signal);
  await finish(engine, { op: 'load', model }, signal);
}

function never(): AbortSignal {
  return new AbortController().signal;
}

/** Operations without events. */
type Silent = 'install' | 'pause' | 'load' | 'unload' | 'remove';

/** Runs a job to its end. */
async function finish(engine: Engine, job: JobOf<Silent>, signal = never()): Promise<void> {
  await engine.run(job, signal, () => undefined);
}
