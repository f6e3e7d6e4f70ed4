import type { GenerateEvent, TokenChance, TokenLogprob } from '../../src/core/protocol/events.ts';
import type { ToolCall } from '../../src/core/protocol/jobs.ts';
import {
  collect,
  totalUsage,
  usageBody,
  type Answer,
  type AnswerMeta,
  type Encoder,
} from '../generation/encoder.ts';

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

/** Clients read it under one of these two names. */
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
  const chunk = (delta: Delta, finish_reason: string | null, logprobs?: TokenLogprob[]) =>
    frame([{ index: 0, delta, logprobs: logprobsBody(logprobs), finish_reason }]);

  return {
    opening: () => [chunk({ role: 'assistant', content: '' }, null)],
    chunks(event: GenerateEvent) {
      switch (event.type) {
        case 'text':
          return [chunk({ content: event.text }, null, event.logprobs)];
        case 'reasoning':
          return [chunk(thought(event.text), null)];
        case 'tool-call': {
          const call = toolCallBody({ ...event, arguments: '' });
          return [chunk({ tool_calls: [{ index: event.index, ...call }] }, null)];
        }
        case 'tool-arguments': {
          const piece = { index: event.index, function: { arguments: event.text } };
          return [chunk({ tool_calls: [piece] }, null)];
        }
        case 'finish': {
          const last = chunk({}, event.reason);
          return includeUsage ? [last, frame([], usageBody(event.usage))] : [last];
        }
        case 'start':
        case 'written':
          return [];
      }
    },
    body(events) {
      const answers = collect(events);
      return {
        id,
        object: 'chat.completion',
        created,
        model,
        choices: answers.map((answer, index) => ({
          index,
          message: messageBody(answer),
          logprobs: logprobsBody(answer.logprobs),
          finish_reason: answer.reason,
        })),
        usage: usageBody(totalUsage(answers)),
      };
    },
  };
}
