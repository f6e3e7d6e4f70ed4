/**
 * Makes a function that does the work once for all callers. If the work failed or resolved with
 * undefined, the next call tries it again.
 */
export function retriable<T>(work: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  const forget = () => (current = undefined);
  return () => {
    if (!current) {
      current = work();
      current.then((result) => result === undefined && forget(), forget);
    }
    return current;
  };
}
