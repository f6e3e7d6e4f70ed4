/**
 * Does a piece of work at once, and each hour from then on.
 *
 * @param warn - told of its failures
 */
export function everyHour(work: () => Promise<void>, warn: (error: unknown) => void): void {
  const attempt = () => void work().catch(warn);
  attempt();
  setInterval(attempt, 3_600_000);
}
