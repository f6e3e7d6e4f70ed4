import type { GenerateEvent, TokenLogprob } from '../../src/core/protocol/events.ts';
import { AnswerChunks } from '../generation/answer-chunks.ts';
import {
  collect,
  type Answer,
  type AnswerMeta,
  type AnswerView,
  type Encoder,
} from '../generation/encoder.ts';
import { dataStreamEnd } from '../generation/event-stream.ts';
import { logprobsBody, meanLogprob } from './completion-logprobs.ts';

/** What a text completion shows beside what the model writes. */
export interface CompletionView extends AnswerView {
  /** Repeated before the answers, for each prompt; undefined: they are not. */
  echo: readonly string[] | undefined;
  /** How many of a prompt's answers are shown: the likeliest. */
  best: number;
  logprobs: boolean;
}

/** Engine events → `text_completion` objects, streamed and not. */
export function completionEncoder(meta: AnswerMeta, view: CompletionView): Encoder {
  const chunks = new AnswerChunks(meta, view);
  const echoOf = (index: number) => view.echo?.[Math.floor(index / view.best)] ?? '';
  /** Length of each choice's text so far. */
  const lengths: number[] = [];

  function choice(
    index: number,
    text: string,
    finish_reason: string | null,
    logprobs?: TokenLogprob[],
  ) {
    const offset = lengths[index] ?? 0;
    lengths[index] = offset + text.length;
    const shown = view.logprobs && logprobs ? logprobsBody(logprobs, offset) : null;
    return { text, index, logprobs: shown, finish_reason };
  }

  return {
    ...dataStreamEnd,
    opening: () =>
      (view.echo ?? [])
        .flatMap((_, prompt) =>
          Array.from({ length: view.best }, (__, nth) => prompt * view.best + nth),
        )
        .map((index) => chunks.of(choice(index, echoOf(index), null)))
        .join(''),
    event: (event: GenerateEvent) =>
      chunks.next(event, (index) => {
        switch (event.type) {
          case 'text':
            return choice(index, event.text, null, event.logprobs);
          case 'finish':
            return choice(index, '', event.reason);
          case 'reasoning':
          case 'tool-call':
          case 'tool-arguments':
          case 'start':
          case 'written':
            return undefined;
        }
      }),
    body: (events) =>
      chunks.whole(
        meta.object,
        events,
        bestOf(collect(events), view).map(({ text, reason, logprobs }, index) => {
          const echo = echoOf(index);
          lengths[index] = echo.length;
          return { ...choice(index, text, reason, logprobs), text: echo + text };
        }),
      ),
  };
}

/** The likeliest answers to each prompt, in the order in which they were written. */
function bestOf(answers: readonly Answer[], { perPrompt, best }: CompletionView): Answer[] {
  if (best === perPrompt) return [...answers];
  const prompts = answers.length / perPrompt;
  return Array.from({ length: prompts }, (_, prompt) => {
    const own = answers.slice(prompt * perPrompt, (prompt + 1) * perPrompt);
    const likeliest = own.toSorted((a, b) => meanLogprob(b.logprobs) - meanLogprob(a.logprobs));
    return own.filter((answer) => likeliest.indexOf(answer) < best);
  }).flat();
}
