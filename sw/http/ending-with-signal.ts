import type { Engine } from '../../src/core/port/engine.ts';
import type { ApiOperation } from '../../src/core/operations/jobs.ts';

/** The engine for one request: its jobs also end when the signal aborts. */
export function endingWithSignal(
  engine: Engine<ApiOperation>,
  ending: AbortSignal,
): Engine<ApiOperation> {
  return { run: (job, signal) => engine.run(job, AbortSignal.any([signal, ending])) };
}
