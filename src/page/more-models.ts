import type { Engine } from '../core/protocol/engine.ts';
import type { Models } from './models-api.ts';

/** What few pages do with models. */
export function moreModels(engine: Engine): Pick<Models, 'inspect' | 'search' | 'measure'> {
  return {
    inspect: async (model, { signal } = {}) => {
      const { models } = await only(engine.run({ op: 'inspect', model }, given(signal)));
      return only(models);
    },
    search: async ({ query, task = 'chat', signal }) =>
      (await only(engine.run({ op: 'search', query, task }, given(signal)))).models,
    measure: async (model, { signal } = {}) =>
      (await only(engine.run({ op: 'measure', model }, given(signal)))).measurement,
  };
}

function given(signal: AbortSignal | undefined): AbortSignal {
  return signal ?? new AbortController().signal;
}

async function only<T>(values: AsyncIterable<T> | Iterable<T>): Promise<T> {
  for await (const value of values) return value;
  throw new Error('The engine did not answer.');
}
