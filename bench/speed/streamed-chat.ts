import * as v from 'valibot';

const chunkSchema = v.object({
  choices: v.array(v.object({ delta: v.record(v.string(), v.unknown()) })),
  usage: v.nullish(v.object({ completion_tokens: v.number() })),
  timings: v.optional(v.object({ predicted_n: v.number() })),
});

/** A part of a streamed chat. */
interface Chunk {
  deltas: unknown[];
  /** Tokens that have been written so far. */
  tokens: number;
}

/** The chunks of a chat that was streamed with `timings_per_token`. */
export async function* chunksOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Chunk> {
  const decoder = new TextDecoder();
  let rest = '';
  let tokens = 0;
  for await (const bytes of body) {
    const frames = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const data = frame.replace(/^data: /, '');
      if (data === '[DONE]') continue;
      const { choices, timings } = v.parse(chunkSchema, JSON.parse(data));
      tokens = timings?.predicted_n ?? tokens;
      yield { deltas: choices.map(({ delta }) => delta), tokens };
    }
  }
}

/** Deltas as a text that is the same for the same answers: without the random ids of calls. */
export function textOf(deltas: readonly unknown[]): string {
  return JSON.stringify(deltas, (name, value: unknown) => (name === 'id' ? undefined : value));
}
