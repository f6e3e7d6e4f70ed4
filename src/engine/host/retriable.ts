/**
 * Work that is done once for all callers. After it failed, or resolved with undefined, the next call
 * tries it again.
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
