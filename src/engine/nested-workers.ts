/**
 * Whether a worker can start others. In Firefox 153, `new Worker` blocks the worker that calls it for ever, in one
 * of about a hundred calls: threads, which workers start, are not worth that.
 */
export function canStartWorkers({ userAgent }: { userAgent: string }): boolean {
  return !userAgent.includes('Firefox/');
}
