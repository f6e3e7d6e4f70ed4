import type { Engine } from '../../src/core/port/engine.ts';
import type { EventOf } from '../../src/core/operations/events.ts';
import type { ApiOperation, JobOf } from '../../src/core/operations/jobs.ts';
import type { JobMeter } from './job-meter.ts';

/** The job's events, which the meter takes, too. It gets some that the job did not ask for. */
export async function* metered<Op extends ApiOperation>(
  engine: Engine<ApiOperation>,
  job: JobOf<Op>,
  signal: AbortSignal,
  meter: Pick<JobMeter, 'take'>,
): AsyncGenerator<EventOf<Op>, void, undefined> {
  const asksReading = 'tellsReading' in job && job.tellsReading;
  const asked = {
    ...job,
    ...(job.op === 'generate' && { countsTokens: true, tellsReading: true }),
  };
  for await (const event of engine.run(asked, signal)) {
    meter.take(event);
    if (event.type !== 'reading' || asksReading) yield event;
  }
}
