import type {
  GenerateEvent,
  ScoredPrompt,
  TokenLogprob,
} from '../../src/core/operations/events/events.ts';
import { AnswerChunks } from '../generation/answer/answer-chunks.ts';
import {
  collect,
  type Answer,
  type AnswerMeta,
  type AnswerView,
  type Encoder,
} from '../generation/answer/encoder.ts';
import { dataStreamEnd } from '../http/event-stream.ts';
import {
  joinedLogprobs,
  logprobsBody,
  meanLogprob,
  promptLogprobsBody,
} from './completion-logprobs.ts';

/** What a text completion shows beside what the model writes. */
export interface CompletionView extends AnswerView {
  /** The text to repeat before the answers, for each prompt; undefined: no text is repeated. */
  echo: readonly string[] | undefined;
  /** How many of a prompt's answers are shown: the likeliest. */
  best: number;
  logprobs: boolean;
  /** Whether log-probabilities of the echoed prompts are wanted. */
  scoresPrompt: boolean;
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

  /** The chunks with which all choices of a prompt begin. */
  const echoed = (prompt: number, scored?: ScoredPrompt) =>
    Array.from({ length: view.best }, (_, nth) => prompt * view.best + nth)
      .map((index) => {
        const logprobs = scored ? promptLogprobsBody(scored) : null;
        return chunks.of({ ...choice(index, echoOf(index), null), logprobs });
      })
      .join('');
  let scoredPrompts = 0;

  return {
    ...dataStreamEnd,
    // With log-probabilities, a prompt is echoed when it has been scored.
    opening: () =>
      view.scoresPrompt ? '' : (view.echo ?? []).map((_, prompt) => echoed(prompt)).join(''),
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
          case 'queued':
          case 'reading':
          case 'scored':
          case 'start':
          case 'written':
            return undefined;
        }
      }) + (event.type === 'scored' ? echoed(scoredPrompts++, event.prompt) : ''),
    body: (events) => {
      const prompts = events.flatMap((event) => (event.type === 'scored' ? [event.prompt] : []));
      const answers = bestOf(collect(events), view);
      return chunks.whole(
        meta.object,
        events,
        answers.map(({ text, reason, logprobs }, index) => {
          const echo = echoOf(index);
          lengths[index] = echo.length;
          const own = choice(index, text, reason, logprobs ?? []);
          const scored = prompts[Math.floor(index / view.best)];
          const before = scored && promptLogprobsBody(scored);
          const joined = before && own.logprobs ? joinedLogprobs(before, own.logprobs) : before;
          return { ...own, logprobs: joined ?? own.logprobs, text: echo + text };
        }),
      );
    },
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
