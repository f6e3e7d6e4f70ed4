/** The first event. The rest is not read. */
export async function firstOf<T>(events: AsyncIterable<T>): Promise<T> {
  for await (const event of events) return event;
  throw new Error('The engine did not answer.');
}
