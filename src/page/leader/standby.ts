import type { Engine } from '../../core/port/engine.ts';
import type { Progress } from '../../core/operations/events/events.ts';
import type { EngineConfig } from '../../core/realms/messages.ts';
import { watchProgress } from '../api/models/progress.ts';
import { mayOutlive } from './outliving.ts';

/**
 * Keeps the models that one engine has in memory in the memory of a second one until the signal aborts, so
 * that the second can take over at once. Failures are ignored: the model is loaded when it is needed. An engine that
 * outlives its pages needs no second one.
 *
 * @param own - the second engine
 */
export async function standBy(
  { config, present }: { config: EngineConfig; present: Engine<'watch'> },
  own: Engine<'keep' | 'unload'>,
  signal: AbortSignal,
): Promise<void> {
  if (await mayOutlive(config)) return;
  const kept = new Map<string, AbortController>();
  const keep = async (model: string, leaving: AbortController) => {
    const mark = `slashv1 standby ${model}`;
    try {
      const either = AbortSignal.any([signal, leaving.signal]);
      await own.run({ op: 'keep', model }, either, () => void performance.mark(mark));
    } finally {
      if (kept.get(model) === leaving) kept.delete(model);
      if (!kept.has(model)) performance.clearMarks(mark);
    }
  };
  const unload = (model: string) => own.run({ op: 'unload', model }, signal, () => undefined);
  const follow = ({ model, stage }: Progress) => {
    const leaving = kept.get(model);
    if (stage === 'ready' && !leaving) {
      const begun = new AbortController();
      kept.set(model, begun);
      keep(model, begun).catch(() => undefined);
    } else if ((stage === 'unloaded' || stage === 'failed') && leaving) {
      kept.delete(model);
      unload(model)
        .catch(() => undefined)
        .finally(() => leaving.abort());
    }
  };
  watchProgress(present, follow, signal);
}
