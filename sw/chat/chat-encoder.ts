import type {
  GenerateEvent,
  TokenChance,
  TokenLogprob,
} from '../../src/core/operations/events/events.ts';
import type { ToolCall } from '../../src/core/operations/jobs/jobs.ts';
import { AnswerChunks } from '../generation/answer/answer-chunks.ts';
import {
  collect,
  type Answer,
  type AnswerMeta,
  type AnswerView,
  type Encoder,
} from '../generation/answer/encoder.ts';
import { base64 } from '../http/base64.ts';
import { dataStreamEnd } from '../http/event-stream.ts';
import type { AnswerAudio, SpokenEvent } from './spoken/speak-answer.ts';
import { soundOf } from './spoken/sound-of.ts';

interface Delta {
  role?: 'assistant';
  content?: string;
  audio?: { id: string } | { transcript: string } | { data: string } | { expires_at: number };
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

function messageBody({ text, reasoning, toolCalls }: Answer, audio: object | undefined) {
  const isEmpty = text === '' && toolCalls.length > 0;
  return {
    role: 'assistant',
    content: isEmpty || audio ? null : text,
    ...(reasoning !== undefined && thought(reasoning)),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(toolCallBody) }),
    refusal: null,
    ...(audio && { audio }),
  };
}

/** The sound of an answer, and what it says. */
function audioBody({ id, expiresAt }: AnswerAudio, transcript: string, sound: Uint8Array) {
  return { id, data: base64(sound), transcript, expires_at: expiresAt };
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
  /** The sound of a spoken answer, whose text is its transcript; undefined: the answer is text. */
  audio?: AnswerAudio;
}

/** Events of the engine → `chat.completion.chunk` objects, or a `chat.completion`. */
export function chatEncoder(meta: AnswerMeta, view: ChatView): Encoder<SpokenEvent> {
  const chunks = new AnswerChunks({ ...meta, object: 'chat.completion.chunk' }, view);
  const choice = (
    index: number,
    delta: Delta,
    finish_reason: string | null,
    logprobs?: TokenLogprob[],
  ) => ({ index, delta, logprobs: logprobsBody(logprobs), finish_reason });
  const { audio } = view;
  let isSpoken = false;
  const audioChunk = (news: NonNullable<Delta['audio']>) =>
    chunks.of(choice(0, { audio: news }, null));
  /** What a spoken answer has before the chunk of an event: its id at first, and at the end when its name expires. */
  const before = ({ type }: GenerateEvent) => {
    if (!audio) return '';
    if (type === 'finish') return isSpoken ? audioChunk({ expires_at: audio.expiresAt }) : '';
    if (type !== 'text' || isSpoken) return '';
    isSpoken = true;
    return audioChunk({ id: audio.id });
  };

  return {
    ...dataStreamEnd,
    opening: () =>
      Array.from({ length: view.perPrompt }, (_, index) =>
        chunks.of(choice(index, { role: 'assistant', content: '' }, null)),
      ).join(''),
    event: (event) => {
      if (event.type === 'sound') return audioChunk({ data: base64(event.bytes) });
      if (event.type === 'said') return '';
      const next = chunks.next(event, (index) => {
        switch (event.type) {
          case 'text': {
            const delta = audio ? { audio: { transcript: event.text } } : { content: event.text };
            return choice(index, delta, null, event.logprobs);
          }
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
      });
      return before(event) + next;
    },
    body: (all) => {
      const { events, sound } = soundOf(all);
      const audioOf = ({ text }: Answer) =>
        audio && text !== '' ? audioBody(audio, text, sound) : undefined;
      const choices = collect(events).map((answer, index) => ({
        index,
        message: messageBody(answer, audioOf(answer)),
        // Clients that asked for them read the list, even if it is empty.
        logprobs: logprobsBody(answer.logprobs ?? (view.logprobs ? [] : undefined)),
        finish_reason: answer.reason,
      }));
      return chunks.whole(meta.object, events, choices);
    },
  };
}
