import { modelNotFound } from '../../../core/errors/errors.ts';
import { askPermission } from '../../../core/weights/linked-file.ts';
import { linksOf } from '../../../core/weights/weight-reader.ts';
import type { SmallDatabase } from '../../../core/database/small-database.ts';
import type { CatalogModel } from '../../../core/catalog/catalog-model.ts';
import { onlyEvent, type Engine } from '../../../core/port/engine.ts';
import type { GivenFile } from '../../../core/operations/jobs/managing-jobs.ts';
import type { InstallOptions, Models } from './models-api.ts';
import { withScreenOn } from './screen-on.ts';

export interface MoreModels extends Pick<
  Models,
  'inspect' | 'search' | 'measure' | 'allow' | 'persist'
> {
  /** Downloads a model, all but the browser's own. */
  download: Models['install'];
  addFiles(files: readonly GivenFile[], options: InstallOptions): Promise<string>;
}

/**
 * The methods of `models` that few pages use.
 *
 * @param open - opens the database, where it says where files lie
 */
export function moreModels(engine: Engine, open: () => Promise<SmallDatabase>): MoreModels {
  return {
    addFiles: async (files, { signal, makeRoom = false }) => {
      const job = { op: 'add', makeRoom, files } as const;
      const copied = () => onlyEvent(engine, job, given(signal));
      return (await withScreenOn(copied)).model;
    },
    download: async (model, { signal, ...asked } = {}) => {
      const job = { ...asked, op: 'install', model } as const;
      await withScreenOn(() => engine.run(job, given(signal), () => undefined));
    },
    allow: async (model) => askPermission(await linksOf(await open(), model)),
    inspect: async (model, { signal } = {}) => {
      const { models } = await onlyEvent(engine, { op: 'inspect', model }, given(signal));
      return onlyOf(models, model);
    },
    search: async ({ query, task = 'chat', signal }) =>
      (await onlyEvent(engine, { op: 'search', query, task }, given(signal))).models,
    measure: async (model, { signal, ...asked } = {}) =>
      (await onlyEvent(engine, { ...asked, op: 'measure', model }, given(signal))).measurement,
    // The types say that `storage` is always there; WebKitGTK 2.50 lacks it.
    persist: async () => (await (navigator as Partial<Navigator>).storage?.persist()) ?? false,
  };
}

function given(signal: AbortSignal | undefined): AbortSignal {
  return signal ?? new AbortController().signal;
}

function onlyOf(models: readonly CatalogModel[], id: string): CatalogModel {
  const [model] = models;
  if (!model) throw modelNotFound(id);
  return model;
}
