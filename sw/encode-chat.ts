import type { JobEvent } from '../src/core/engine.ts';
import { collect, usageBody, type AnswerMeta, type Encoder } from './encode.ts';

interface Delta {
  role?: 'assistant';
  content?: string;
  reasoning?: string;
  reasoning_content?: string;
}

/** Under both names that clients know it by. */
function thought(text: string) {
  return { reasoning: text, reasoning_content: text };
}

/** Engine events → `chat.completion` or `chat.completion.chunk` objects. */
export function chatEncoder(meta: AnswerMeta, includeUsage: boolean): Encoder {
  const { id, created, model } = meta;
  const frame = (choices: unknown[], usage: unknown = null) => ({
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    choices,
    ...(includeUsage && { usage }),
  });
  const chunk = (delta: Delta, finish_reason: string | null) =>
    frame([{ index: 0, delta, logprobs: null, finish_reason }]);

  return {
    opening: () => [chunk({ role: 'assistant', content: '' }, null)],
    chunks(event: JobEvent) {
      switch (event.type) {
        case 'text':
          return [chunk({ content: event.text }, null)];
        case 'reasoning':
          return [chunk(thought(event.text), null)];
        case 'finish': {
          const last = chunk({}, event.reason);
          return includeUsage ? [last, frame([], usageBody(event.usage))] : [last];
        }
        case 'start':
        case 'progress':
        case 'audio':
        case 'spoken':
          return [];
      }
    },
    body(events) {
      const { text, reasoning, reason, usage } = collect(events);
      const message = {
        role: 'assistant',
        content: text,
        ...(reasoning !== undefined && thought(reasoning)),
        refusal: null,
      };
      return {
        id,
        object: 'chat.completion',
        created,
        model,
        choices: [{ index: 0, message, logprobs: null, finish_reason: reason }],
        usage: usageBody(usage),
      };
    },
  };
}
