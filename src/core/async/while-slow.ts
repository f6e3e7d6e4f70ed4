/** When something counts as slow, and how long each look waits for the next one, milliseconds. */
const SLOW_MS = 5_000;

/**
 * The promise's result. While it is slow, looks again and again for a reason why it may never settle.
 *
 * @param look - rejects with the reason, which is then thrown
 */
export async function whileSlow<T>(promise: Promise<T>, look: () => Promise<unknown>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSettled = false;
  const reason = new Promise<never>((_, reject) => {
    const lookLater = () => {
      if (!isSettled) timer = setTimeout(() => void look().then(lookLater, reject), SLOW_MS);
    };
    lookLater();
  });
  try {
    return await Promise.race([promise, reason]);
  } finally {
    isSettled = true;
    clearTimeout(timer);
  }
}
