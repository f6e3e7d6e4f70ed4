import type { GenerateEvent, TokenChance, TokenLogprob } from '../../src/core/operations/events.ts';
import type { ToolCall } from '../../src/core/operations/jobs.ts';
import { AnswerChunks } from '../generation/answer/answer-chunks.ts';
import {
  collect,
  type Answer,
  type AnswerMeta,
  type AnswerView,
  type Encoder,
} from '../generation/answer/encoder.ts';
import { dataStreamEnd } from '../http/event-stream.ts';

interface Delta {
  role?: 'assistant';
  content?: string;
  reasoning?: string;
  reasoning_content?: string;
  tool_calls?: [ToolCallBody & { index: number }] | [ToolCallPiece];
}

interface ToolCallBody {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

interface ToolCallPiece {
  index: number;
  function: { arguments: string };
}

/** The fields for thinking. Clients read it under one of these two names. */
function thought(text: string) {
  return { reasoning: text, reasoning_content: text };
}

function toolCallBody(call: ToolCall): ToolCallBody {
  return {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  };
}

function messageBody({ text, reasoning, toolCalls }: Answer) {
  return {
    role: 'assistant',
    content: text === '' && toolCalls.length > 0 ? null : text,
    ...(reasoning !== undefined && thought(reasoning)),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(toolCallBody) }),
    refusal: null,
  };
}

function logprobsBody(logprobs: TokenLogprob[] | undefined) {
  if (!logprobs) return null;
  const content = logprobs.map(({ top, ...chance }) => ({
    ...chanceBody(chance),
    top_logprobs: top.map(chanceBody),
  }));
  return { content, refusal: null };
}

function chanceBody({ token, logprob, bytes }: TokenChance) {
  return { token, logprob, bytes };
}

/** What a chat shows beside what the model writes. */
export interface ChatView extends AnswerView {
  logprobs: boolean;
}

/** Engine events → `chat.completion.chunk` objects, or a `chat.completion`. */
export function chatEncoder(meta: AnswerMeta, view: ChatView): Encoder {
  const chunks = new AnswerChunks({ ...meta, object: 'chat.completion.chunk' }, view);
  const choice = (
    index: number,
    delta: Delta,
    finish_reason: string | null,
    logprobs?: TokenLogprob[],
  ) => ({ index, delta, logprobs: logprobsBody(logprobs), finish_reason });

  return {
    ...dataStreamEnd,
    opening: () =>
      Array.from({ length: view.perPrompt }, (_, index) =>
        chunks.of(choice(index, { role: 'assistant', content: '' }, null)),
      ).join(''),
    event: (event: GenerateEvent) =>
      chunks.next(event, (index) => {
        switch (event.type) {
          case 'text':
            return choice(index, { content: event.text }, null, event.logprobs);
          case 'reasoning':
            return choice(index, thought(event.text), null);
          case 'tool-call': {
            const call = toolCallBody({ ...event, arguments: '' });
            return choice(index, { tool_calls: [{ index: event.index, ...call }] }, null);
          }
          case 'tool-arguments': {
            const piece = { index: event.index, function: { arguments: event.text } };
            return choice(index, { tool_calls: [piece] }, null);
          }
          case 'finish':
            return choice(index, {}, event.reason);
          case 'start':
          case 'queued':
          case 'reading':
          case 'scored':
          case 'written':
            return undefined;
        }
      }),
    body: (events) =>
      chunks.whole(
        meta.object,
        events,
        collect(events).map((answer, index) => ({
          index,
          message: messageBody(answer),
          // Clients that asked for them read the list, even if it is empty.
          logprobs: logprobsBody(answer.logprobs ?? (view.logprobs ? [] : undefined)),
          finish_reason: answer.reason,
        })),
      ),
  };
}
