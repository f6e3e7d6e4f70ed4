import type { Engine } from '../../../../src/core/port/engine.ts';
import type { TextModels } from '../../../../src/engine/models/text-models.ts';
import { pass, type Context, type Stage } from '../../../../src/engine/road/stage.ts';

/** Runs jobs of text models only, without the stages that come before on the engine's road. */
export function textRoad(text: TextModels): Engine<'generate' | 'load'> {
  const { checked, installed, turn, memory, answer } = text;
  const road: { [Op in 'generate' | 'load']: readonly Stage<Context<Op>>[] } = {
    generate: [checked, installed, turn, memory, answer],
    load: [installed, turn, memory],
  };
  return { run: (job, signal, emit) => pass(road[job.op], { job, signal, emit }) };
}
