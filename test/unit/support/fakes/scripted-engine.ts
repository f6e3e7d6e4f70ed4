import type { Engine } from '../../../../src/core/port/engine.ts';
import { isEventOf, type JobEvent } from '../../../../src/core/operations/events/events.ts';
import type { Job } from '../../../../src/core/operations/jobs/jobs.ts';

/** An engine that runs all jobs with one function of the test. */
export function scriptedEngine(
  script: (job: Job, signal: AbortSignal) => AsyncIterable<JobEvent>,
): Engine {
  return {
    async run(job, signal, take) {
      for await (const event of script(job as Job, signal)) {
        if (!isEventOf(job.op, event)) throw new Error(`'${job.op}' has no event ${event.type}.`);
        await take(event);
      }
    },
  };
}
