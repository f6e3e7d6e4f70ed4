import type { ApiErrorData } from '../errors/errors.ts';
import type { JobEvent } from '../operations/events/events.ts';
import type { JobOf, Operation } from '../operations/jobs/jobs.ts';

/** Client → engine host, over a MessagePort. Ids are unique per port. */
export type ToHost<Ops extends Operation = Operation> =
  /** The Web Lock that the client holds as long as it lives: its jobs end with it. */
  | { type: 'hello'; lock: string }
  | { type: 'run'; id: number; job: JobOf<Ops> }
  | { type: 'cancel'; id: number }
  /** The client ends: its jobs are cancelled, and the port is closed. */
  | { type: 'bye' };

/**
 * Engine host → client: one message, or a list of messages that follow each other at once. One `done` or `failed` ends
 * each id. An id that the client cancelled may end without either.
 */
export type FromHost =
  /**
   * First message: the host is set up. `lock` is the Web Lock that it holds as long as it lives, `hung` that of a host before
   * it which hung.
   */
  | { type: 'hello'; lock?: string; hung?: string }
  /** Instead of hello: the host could not be set up. */
  | { type: 'refused'; error: ApiErrorData }
  | { type: 'event'; id: number; event: JobEvent }
  | { type: 'done'; id: number }
  | {
      type: 'failed';
      id: number;
      error: ApiErrorData;
      /** The host is about to be replaced because of this failure, and its lock to be released. */
      broken?: true;
    };
