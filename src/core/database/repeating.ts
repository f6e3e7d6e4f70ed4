/** How long to wait after a failure, milliseconds: at first, and at most. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 60_000;

/**
 * Makes a function that begins the work, and repeats it until it succeeds. If it is called while the work is under way,
 * the work is done once more afterwards.
 */
export function repeating(work: () => Promise<unknown>): () => void {
  let wanted = 0;
  let done = 0;
  const run = async () => {
    let wait = FIRST_WAIT_MS;
    while (done < wanted) {
      const seen = wanted;
      try {
        await work();
        done = seen;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, wait));
        wait = Math.min(2 * wait, LONGEST_WAIT_MS);
      }
    }
  };
  return () => {
    if (wanted++ === done) void run();
  };
}
