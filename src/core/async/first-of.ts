/** The first of what is reported; nobody waits for the rest. */
export async function firstOf<T>(events: AsyncIterable<T>): Promise<T> {
  for await (const event of events) return event;
  throw new Error('The engine did not answer.');
}
