import type { EventOf } from '../../core/operations/events/events.ts';
import type { JobOf, Operation } from '../../core/operations/jobs/jobs.ts';
import type { InstalledModel } from '../download/installer/installed-model.ts';

/** A job on its way. Each stage decides one thing and writes it here, for the stages after it. */
export interface Context<Op extends Operation> {
  job: JobOf<Op>;
  readonly signal: AbortSignal;
  /** The sink of the job's events. */
  emit: (event: EventOf<Op>) => void;
  /** The variant that this device uses, and how it is loaded. Chosen once, then sent to the model's worker. */
  installed?: InstalledModel;
}

/** A step of a job. `next` does the rest of the job; a stage that divides a job calls it several times. */
export type Stage<C> = (context: C, next: () => Promise<void>) => Promise<void>;

/** Does a job, stage by stage. */
export async function pass<C>(stages: readonly Stage<C>[], context: C, at = 0): Promise<void> {
  await stages[at]?.(context, () => pass(stages, context, at + 1));
}
