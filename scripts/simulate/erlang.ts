/**
 * Erlang's C formula: the chance that a request has to wait if requests arrive at random, take times of an exponential
 * distribution and wait in one line (M/M/c).
 *
 * @param load - mean number of busy servers: arrivals per second × mean seconds of service
 */
export function chanceToWait(load: number, servers: number): number {
  if (load >= servers) return 1;
  let blocked = 1;
  for (let count = 1; count <= servers; count++) {
    blocked = (load * blocked) / (count + load * blocked);
  }
  const used = load / servers;
  return blocked / (1 - used * (1 - blocked));
}

/** Mean seconds of all requests in M/M/c; infinite if there are too few servers. */
export function meanWait(load: number, servers: number, meanSeconds: number): number {
  if (load >= servers) return Number.POSITIVE_INFINITY;
  return (chanceToWait(load, servers) * meanSeconds) / (servers - load);
}

/** The chance in M/M/c that a request waits longer than so many seconds. */
export function chanceToWaitLonger(
  seconds: number,
  load: number,
  servers: number,
  meanSeconds: number,
): number {
  if (load >= servers) return 1;
  return chanceToWait(load, servers) * Math.exp((-(servers - load) * seconds) / meanSeconds);
}
