/** A terminal's Ctrl-C, and how others ask a process to end. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Within that time, milliseconds, it is the same request: a process group and npm may both deliver it. */
const SAME_MS = 2_000;

/**
 * Aborts when the process is asked to end, which from now on is for the caller to do. Who asks again
 * after a while does not want to wait: then the process ends at once.
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
