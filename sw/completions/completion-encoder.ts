import type { GenerateEvent } from '../../src/core/protocol/events.ts';
import {
  collect,
  totalUsage,
  usageBody,
  type AnswerMeta,
  type Encoder,
} from '../generation/encoder.ts';

/** Engine events → `text_completion` objects, streamed and not. */
export function completionEncoder(meta: AnswerMeta, includeUsage: boolean): Encoder {
  const { id, created, model } = meta;
  const choice = (text: string, finish_reason: string | null, index = 0) => ({
    text,
    index,
    logprobs: null,
    finish_reason,
  });
  const frame = (choices: unknown[], usage: unknown = null) => ({
    id,
    object: 'text_completion',
    created,
    model,
    choices,
    ...(includeUsage && { usage }),
  });

  return {
    opening: () => [],
    chunks(event: GenerateEvent) {
      switch (event.type) {
        case 'text':
          return [frame([choice(event.text, null)])];
        case 'finish': {
          const last = frame([choice('', event.reason)]);
          return includeUsage ? [last, frame([], usageBody(event.usage))] : [last];
        }
        case 'reasoning':
        case 'tool-call':
        case 'tool-arguments':
        case 'start':
        case 'written':
          return [];
      }
    },
    body(events) {
      const answers = collect(events);
      return {
        id,
        object: 'text_completion',
        created,
        model,
        choices: answers.map(({ text, reason }, index) => choice(text, reason, index)),
        usage: usageBody(totalUsage(answers)),
      };
    },
  };
}
