import type { MemoryJob } from '../src/core/operations/jobs/jobs.ts';
import { onlyEvent, type Engine } from '../src/core/port/engine.ts';

/** Forgets, keeps and recalls values of one client in the memory of the leading tab. @returns the recalled ones */
export type ClientMemory = (request: Omit<MemoryJob, 'op' | 'client'>) => Promise<unknown[]>;

/** @param client - id of its key: clients cannot recall each other's values */
export function memoryOf(engine: Engine<'memory'>, client: string): ClientMemory {
  return async (request) => {
    const job: MemoryJob = { op: 'memory', client, ...request };
    // Nothing aborts the job, because it takes only a moment.
    const { values } = await onlyEvent(engine, job, new AbortController().signal);
    return values;
  };
}
