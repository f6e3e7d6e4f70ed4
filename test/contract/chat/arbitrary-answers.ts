import * as fc from 'fast-check';
import type {
  FinishReason,
  GenerateEvent,
  TokenLogprob,
} from '../../../src/core/operations/events/events.ts';
import { finish, toolArguments, toolCall } from '../support/test-engine.ts';

/** A text in pieces. A border may fall anywhere, even between the halves of a character. */
const pieces = fc.array(fc.string({ unit: 'binary', maxLength: 6 }), { maxLength: 5 });

const chance = fc.record({
  token: fc.string({ unit: 'binary', maxLength: 4 }),
  bytes: fc.array(fc.nat(255), { maxLength: 4 }),
  logprob: fc.double({ min: -100, max: 0, noNaN: true }),
});

const logprobs: fc.Arbitrary<TokenLogprob[]> = fc.array(
  fc.tuple(chance, fc.array(chance, { maxLength: 3 })).map(([own, top]) => ({ ...own, top })),
  { minLength: 1, maxLength: 3 },
);

const halved = pieces.map((texts) => texts.flatMap((piece) => [piece.slice(0, 1), piece.slice(1)]));

const reasoning = fc
  .oneof(pieces, halved)
  .map((texts) => texts.map((text): GenerateEvent => ({ type: 'reasoning', text })));

const plainText = fc
  .oneof(pieces, halved)
  .map((texts) => texts.map((text): GenerateEvent => ({ type: 'text', text })));

const textWithLogprobs = fc
  .array(fc.tuple(fc.string({ maxLength: 6 }), logprobs), { maxLength: 4 })
  .map((all) =>
    all.map(([text, tokens]): GenerateEvent => ({ type: 'text', text, logprobs: tokens })),
  );

const calls = fc
  .array(fc.tuple(fc.stringMatching(/^[a-z_]{1,8}$/), pieces), { maxLength: 3 })
  .map((all) =>
    all.flatMap(([name, texts], index) => [
      toolCall(index, name),
      ...texts.map((text) => toolArguments(index, text)),
    ]),
  );

const usage = fc
  .tuple(fc.nat(5_000), fc.nat(5_000), fc.option(fc.nat(5_000), { nil: undefined }))
  .map(([promptTokens, completionTokens, reasoningTokens]) => ({
    promptTokens,
    completionTokens,
    cachedTokens: Math.floor(promptTokens / 2),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  }));

const reason = fc.constantFrom<FinishReason>('stop', 'length', 'tool_calls');

/** The events of any answer that an engine may give: thinking, then text, then calls, and the end. */
export const anyAnswer: fc.Arbitrary<GenerateEvent[]> = fc
  .tuple(fc.boolean(), reasoning, fc.oneof(plainText, textWithLogprobs), calls, reason, usage)
  .map(([starts, thought, said, called, why, spent]) => [
    ...(starts ? [{ type: 'start' } as const] : []),
    ...[...thought, ...said, ...called, finish(why, spent)],
  ]);
