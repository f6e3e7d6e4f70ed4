/** A signal that never aborts. */
export const NEVER = new AbortController().signal;
