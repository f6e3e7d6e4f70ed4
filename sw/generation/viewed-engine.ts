import { engineOf, type Engine } from '../../src/core/port/engine.ts';
import type { GenerateEvent } from '../../src/core/operations/events.ts';
import type { Prompt } from '../../src/core/operations/jobs.ts';

/** What a request wants of what its model writes. */
export interface View {
  /** Leave out what the model thinks. */
  hidesReasoning: boolean;
  /** A stop string is part of the text that it ends. */
  includesStop: boolean;
}

/** The engine as a request wants to see it. */
export function viewedEngine(engine: Engine<'generate'>, view: View): Engine<'generate'> {
  return engineOf<'generate'>({
    generate: (job, signal) => viewed(engine.run(job, signal), view),
  });
}

async function* viewed(
  events: AsyncIterable<GenerateEvent>,
  { hidesReasoning, includesStop }: View,
): AsyncGenerator<GenerateEvent, void, undefined> {
  for await (const event of events) {
    if (event.type === 'reasoning' && hidesReasoning) continue;
    if (event.type === 'finish' && event.stop !== undefined && includesStop) {
      yield { type: 'text', text: event.stop };
    }
    yield event;
  }
}

/** Runs a job once for each of these prompts, one after the other. */
export function engineOfPrompts(
  engine: Engine<'generate'>,
  prompts: readonly Prompt[],
): Engine<'generate'> {
  return engineOf<'generate'>({
    async *generate(job, signal) {
      for (const prompt of prompts) yield* engine.run({ ...job, prompt }, signal);
    },
  });
}
