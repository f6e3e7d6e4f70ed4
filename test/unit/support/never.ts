/** A signal that never aborts. */
export const NEVER = new AbortController().signal;

/** A promise that is never settled. */
export const PENDING = new Promise<never>(() => undefined);
