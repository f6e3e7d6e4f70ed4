import * as v from 'valibot';
import { refusal } from '../../../src/core/errors/errors.ts';
import type { Engine } from '../../../src/core/port/engine.ts';
import { memoryOf, type ClientMemory } from '../../client-memory.ts';
import { unixSeconds } from '../../generation/answer/ids.ts';
import type { ChatRequest } from '../chat-request.ts';

/** Seconds for which a transcript can be named instead of sent. */
export const TRANSCRIPT_LIVES = 3_600;

const keptSchema = v.object({ transcript: v.string(), expiresAt: v.number() });
type Kept = v.InferOutput<typeof keptSchema>;

/** What the spoken answers of one client say, in the memory of the leading tab. */
export class Transcripts {
  readonly #memory: ClientMemory;

  /** @param client - id of its key */
  constructor(engine: Engine<'memory'>, client: string) {
    this.#memory = memoryOf(engine, client);
  }

  /** Keeps what an answer says, if there is room for it. The answer is whole without it. */
  async keep(id: string, kept: Kept): Promise<void> {
    const remember = { id, values: new Map([[id, kept]]), bytes: kept.transcript.length };
    await this.#memory({ remember }).catch(() => []);
  }

  /**
   * A request's messages, in which the text of earlier spoken answers stands instead of their ids.
   *
   * @throws ApiError 400 for an answer that is not kept any more
   */
  async told(messages: ChatRequest['messages']): Promise<ChatRequest['messages']> {
    const named = messages.map(({ role, content, audio }) =>
      role === 'assistant' && !content ? audio?.id : undefined,
    );
    const ids = named.filter((id) => id !== undefined);
    if (ids.length === 0) return messages;
    const values = await this.#memory({ recall: ids });
    const found = new Map(ids.map((id, at) => [id, values[at]]));
    return messages.map((message, at) => {
      const id = named[at];
      if (id === undefined) return message;
      const kept = v.safeParse(keptSchema, found.get(id));
      if (!kept.success || kept.output.expiresAt <= unixSeconds()) throw gone(id, at);
      return { ...message, content: kept.output.transcript };
    });
  }
}

function gone(id: string, at: number): Error {
  const message =
    `Audio '${id}' is not kept any more: transcripts are kept for an hour, in memory only, while the tab that hosts ` +
    'the engine lives. Send the transcript as content.';
  return refusal(400, message, 'audio_not_found', `messages[${at}].audio.id`);
}
