import type { Page } from 'playwright/test';
import type { JobEvent } from '../../../src/core/operations/events/events.ts';
import type {
  ApiOperation,
  EmbedJob,
  GenerateJob,
  JobOf,
} from '../../../src/core/operations/jobs/jobs.ts';
import type { Hold } from './hold.ts';
import { user } from './prompts.ts';
import { TINY } from './site.ts';

/** The job of a greedy answer to one message. */
export function generateJob(content: string): GenerateJob {
  return {
    op: 'generate',
    model: TINY,
    prompt: { kind: 'chat', messages: [user(content)], templateOptions: {} },
    sampling: { temperature: 0 },
    stop: [],
  };
}

type TextJob = JobOf<Exclude<ApiOperation, 'transcribe' | 'files' | 'stores' | 'members'>>;

interface Cancelled {
  job: TextJob;
  /** Sent with the cancel. */
  next: TextJob;
  /** Which events of the job count. */
  type: JobEvent['type'];
}

/**
 * Cancels a job when its worker is held, and releases the worker when it knows that.
 *
 * @returns the number of the job's events, when the next job has ended
 */
export async function eventsOfCancelled(
  page: Page,
  hold: Hold,
  { job, next, type }: Cancelled,
): Promise<number> {
  const running = await page.evaluateHandle(
    async ([first, counted]) => {
      let count = 0;
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const send = await window.connectEngine((message) => {
        if (message.type === 'done' && message.id === 2) resolve();
        if (message.type !== 'event' || message.id !== 1) return;
        if (message.event.type === counted) count++;
      });
      send({ type: 'run', id: 1, job: first });
      return { send, counted: () => ended.then(() => count) };
    },
    [job, type] as const,
  );
  await hold.untilHeld();
  await running.evaluate(({ send }, second) => {
    send({ type: 'cancel', id: 1 });
    send({ type: 'run', id: 2, job: second });
  }, next);
  await hold.untilStopped();
  await hold.release();
  return running.evaluate(({ counted }) => counted());
}

interface Overtaken {
  /** A job with many texts. */
  batch: EmbedJob;
  /** Sent right after the batch. */
  other: JobOf<'embed' | 'generate'>;
}

/** How many of a batch's texts were embedded at which moment. */
interface OfBatch {
  /** Before the other job's first result. */
  before: number;
  /** Up to the batch's first result after the other job's end. */
  after: number;
  /** Whether the batch ended first. */
  wasFirst: boolean;
}

/** Sends a batch and another job. The batch is cancelled at its first result after the other job's end. */
export function overtake(page: Page, jobs: Overtaken): Promise<OfBatch> {
  return page.evaluate(async ({ batch, other }) => {
    const found: OfBatch = { before: 0, after: 0, wasFirst: false };
    let hasResult = false;
    let hasEnded = false;
    const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
    const send = await window.connectEngine((message) => {
      if (message.type === 'failed') reject(new Error(message.error.message));
      if (message.type === 'done' && message.id === 1) found.wasFirst = true;
      if (message.type === 'done' && message.id === 2) hasEnded = true;
      if (message.type === 'event' && message.id === 1 && message.event.type === 'vectors') {
        found.after += message.event.places.length;
        if (!hasResult) found.before = found.after;
        if (hasEnded) resolve();
      }
      if (message.type === 'event' && message.id === 2) {
        hasResult ||= ['vectors', 'text'].includes(message.event.type);
      }
      if (found.wasFirst) resolve();
    });
    send({ type: 'run', id: 1, job: batch });
    send({ type: 'run', id: 2, job: other });
    await ended;
    send({ type: 'cancel', id: 1 });
    return found;
  }, jobs);
}
