/** Returns how long the work takes, milliseconds, the first numbers of its vectors, and how many numbers they have. */
export async function timedVectors(
  work: (texts: string[]) => Promise<Float32Array>,
  texts: string[],
  perCall = texts.length,
) {
  const calls = Array.from({ length: Math.ceil(texts.length / perCall) }, (_, call) =>
    texts.slice(call * perCall, (call + 1) * perCall),
  );
  const begun = performance.now();
  const all = await Promise.all(calls.map(work));
  const ms = performance.now() - begun;
  const first = all.flatMap((vectors) => Array.from(vectors.subarray(0, 8)));
  return { ms, first, length: all.reduce((sum, { length }) => sum + length, 0) };
}

/** Returns how long the work takes, milliseconds. */
export async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
