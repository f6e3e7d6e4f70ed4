/** Ctrl-C in a terminal, and the ways in which other programs ask a process to end. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Signals within this time, milliseconds, are one request: the terminal and npm may both send it. */
const SAME_MS = 2_000;

/**
 * Aborts when the process is asked to end. From now on, the caller has to end it. If it is asked a second
 * time, after a while, it ends at once.
 */
export function endSignal(): AbortSignal {
  const ending = new AbortController();
  let asked = Infinity;
  const end = () => {
    if (performance.now() - asked > SAME_MS) process.exit(130);
    if (!ending.signal.aborted) asked = performance.now();
    ending.abort();
  };
  for (const signal of SIGNALS) process.on(signal, end);
  return ending.signal;
}
