/** Tells developers of a failure after which the work goes on. */
export function warn(error: unknown): void {
  console.warn('slashv1:', error);
}
