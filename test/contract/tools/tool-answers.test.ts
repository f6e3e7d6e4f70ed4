import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GenerateEvent } from '../../../src/core/operations/events/events.ts';
import type { AnswerMeta } from '../../../sw/generation/answer/encoder.ts';
import { chatEncoder, type ChatView } from '../../../sw/chat/chat-encoder.ts';
import { MODEL, openApi } from '../support/api.ts';
import { chunksOf, json, type ChatBody, type Chunk, type CompletionBody } from '../support/read.ts';
import { finish, text, toolArguments, toolCall, type Step } from '../support/test-engine.ts';

const CHAT = { model: MODEL, messages: [{ role: 'user', content: 'Hi' }] };

const STEPS: Step[] = [
  text('Let me see.'),
  toolCall(0, 'get_weather'),
  toolArguments(0, '{"city": "Be'),
  toolArguments(0, 'rn"}'),
  toolCall(1, 'get_time'),
  toolArguments(1, '{}'),
  finish('tool_calls'),
];

async function bodyOf(...steps: Step[]): Promise<ChatBody> {
  const api = await openApi();
  api.engine.next(...steps);
  return json(await api.post('/chat/completions', CHAT));
}

describe('tool calls', () => {
  test('stand beside the text, whole and in order', async () => {
    const { choices } = await bodyOf(...STEPS);
    expect(choices).toEqual([
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Let me see.',
          tool_calls: [
            {
              id: 'call_0',
              type: 'function',
              function: { name: 'get_weather', arguments: '{"city": "Bern"}' },
            },
            { id: 'call_1', type: 'function', function: { name: 'get_time', arguments: '{}' } },
          ],
          refusal: null,
        },
        logprobs: null,
        finish_reason: 'tool_calls',
      },
    ]);
  });

  test('leave the content null if there is no text', async () => {
    const { choices } = await bodyOf(...STEPS.slice(1));
    expect(choices[0]?.message.content).toBeNull();
  });

  test('that were not made leave no trace', async () => {
    const { choices } = await bodyOf(text('Hello'), finish());
    expect(choices[0]?.message).toEqual({ role: 'assistant', content: 'Hello', refusal: null });
  });

  test('cut by max_tokens end with length', async () => {
    const { choices } = await bodyOf(...STEPS.slice(1, 3), finish('length'));
    expect(choices[0]).toMatchObject({
      finish_reason: 'length',
      message: { tool_calls: [{ function: { arguments: '{"city": "Be' } }] },
    });
  });

  test('stream with id and name first, then the pieces of their arguments', async () => {
    const api = await openApi();
    api.engine.next(...STEPS);
    const chunks = await chunksOf(await api.post('/chat/completions', { ...CHAT, stream: true }));
    expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
      { role: 'assistant', content: '' },
      { content: 'Let me see.' },
      opening(0, 'get_weather'),
      { tool_calls: [{ index: 0, function: { arguments: '{"city": "Be' } }] },
      { tool_calls: [{ index: 0, function: { arguments: 'rn"}' } }] },
      opening(1, 'get_time'),
      { tool_calls: [{ index: 1, function: { arguments: '{}' } }] },
      {},
    ]);
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason)).toEqual([
      ...Array.from({ length: 7 }, () => null),
      'tool_calls',
    ]);
  });

  test('are left out of a text completion', async () => {
    const api = await openApi();
    api.engine.next(...STEPS);
    const response = await api.post('/completions', { model: MODEL, prompt: 'Hi' });
    expect((await json<CompletionBody>(response)).choices[0]?.text).toBe('Let me see.');
  });
});

function opening(index: number, name: string) {
  const call = { id: `call_${index}`, type: 'function', function: { name, arguments: '' } };
  return { tool_calls: [{ index, ...call }] };
}

/** Text, then calls whose arguments are in pieces. */
const anyAnswer: fc.Arbitrary<GenerateEvent[]> = fc
  .tuple(
    fc.array(fc.string({ minLength: 1 }), { maxLength: 3 }),
    fc.array(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), { maxLength: 4 }),
    fc.constantFrom('tool_calls' as const, 'length' as const),
  )
  .map(([texts, calls, reason]) => [
    ...texts.map(text),
    ...calls.flatMap((pieces, index) => [
      toolCall(index, `f${index}`),
      ...pieces.map((piece) => toolArguments(index, piece)),
    ]),
    finish(calls.length > 0 ? reason : 'stop'),
  ]);

/** The message that a client puts together from the chunks of a stream. */
function assembled(chunks: Chunk[]) {
  let content = '';
  const calls: { id: string; type: string; function: { name: string; arguments: string } }[] = [];
  for (const { delta } of chunks.flatMap(({ choices }) => choices)) {
    content += delta.content ?? '';
    for (const { index, id, type, function: called } of delta.tool_calls ?? []) {
      const piece = called?.arguments ?? '';
      const call = calls[index];
      if (call) call.function.arguments += piece;
      else
        calls[index] = {
          id: id ?? '',
          type: type ?? '',
          function: { name: called?.name ?? '', arguments: piece },
        };
    }
  }
  return {
    role: 'assistant',
    content: content === '' && calls.length > 0 ? null : content,
    ...(calls.length > 0 && { tool_calls: calls }),
    refusal: null,
  };
}

const META: AnswerMeta = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 0,
  model: MODEL,
  system_fingerprint: 'test',
};
const VIEW: ChatView = {
  perPrompt: 1,
  answers: 1,
  usage: { atEnd: false, always: false },
  timings: false,
  promptProgress: false,
  logprobs: false,
};

test('streamed or not, an answer is the same, with one finish_reason at its end', async () => {
  await fc.assert(
    fc.asyncProperty(anyAnswer, async (events) => {
      const encoder = chatEncoder(META, VIEW);
      const pieces = events.map((event) => encoder.event(event)).join('');
      const stream = encoder.opening() + pieces + encoder.closing();
      const streamed = await chunksOf(new Response(stream));
      const { choices } = encoder.body(events) as ChatBody;
      expect(assembled(streamed)).toEqual(choices[0]?.message);
      const reasons = streamed.map((chunk) => chunk.choices[0]?.finish_reason);
      expect(reasons.filter((reason) => reason !== null)).toEqual([choices[0]?.finish_reason]);
      expect(reasons.at(-1)).toBe(choices[0]?.finish_reason);
    }),
  );
});
