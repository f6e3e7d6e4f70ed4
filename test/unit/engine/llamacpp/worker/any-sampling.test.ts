import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OutputConstraint } from '../../../../../src/engine/conversation/constraint/output-constraint.ts';
import type { Outcome } from '../../../../../src/engine/llamacpp/messages.ts';
import { openServer } from '../../../support/models/model-servers.ts';

const VOCABULARY = 250;

const anyToken = fc.nat({ max: VOCABULARY });

const anySampling = fc.record(
  {
    temperature: fc.oneof(fc.constantFrom(0, 1, 1e-9), fc.double({ min: 0, max: 2, noNaN: true })),
    topP: fc.double({ min: 0, max: 1, noNaN: true }),
    topK: fc.integer({ min: 1, max: 50 }),
    minP: fc.double({ min: 0, max: 1, noNaN: true }),
    frequencyPenalty: fc.double({ min: -2, max: 2, noNaN: true }),
    presencePenalty: fc.double({ min: -2, max: 2, noNaN: true }),
    repetitionPenalty: fc.constantFrom(1e-300, 0.5, 1, 1.3, 2),
    logitBias: fc.dictionary(anyToken.map(String), fc.integer({ min: -100, max: 100 })),
  },
  { requiredKeys: ['temperature'] },
);

const anyEnding = fc.record(
  {
    minTokens: fc.nat({ max: 30 }),
    ignoresEnd: fc.boolean(),
    stopTokenIds: fc.array(anyToken, { maxLength: 5 }),
  },
  { requiredKeys: [] },
);

/** Grammars that leave little choice: nothing, one text, a letter that no vocabulary needs to have, any JSON string. */
const anyConstraint: fc.Arbitrary<OutputConstraint> = fc
  .constantFrom(
    'root ::= ""',
    'root ::= "a"',
    'root ::= "{\\"r\\": " [12] "}"',
    'root ::= "é" | "漢"',
    'root ::= "\\"" [^"]* "\\""',
    'root ::= [a-c]*',
  )
  .map((grammar) => ({ type: 'grammar', grammar }));

const anyGeneration = fc.record(
  {
    sampling: anySampling,
    ending: anyEnding,
    constraint: anyConstraint,
    maxTokens: fc.integer({ min: 1, max: 25 }),
    topLogprobs: fc.nat({ max: 3 }),
    hidden: fc.constant(new Map([[1, '<|im_start|>']])),
  },
  { requiredKeys: ['sampling', 'maxTokens'] },
);

test('no combination of sampling, ending and grammar ends in an error, or writes too much', async () => {
  let tell: (outcome: Outcome) => void = () => undefined;
  const { load, until, generate } = openServer((message) => {
    if (message.type === 'ended') tell(message.outcome);
  });
  await load();
  await until('loaded');
  await fc.assert(
    fc.asyncProperty(anyGeneration, async (asked) => {
      const random = { seed: 1, choice: 0, drawn: 0 };
      const ended = new Promise<Outcome>((resolve) => (tell = resolve));
      generate(1, { generation: { random, ...asked } });
      const outcome = await ended;
      expect(outcome).toMatchObject({ kind: 'finished' });
      if (outcome.kind !== 'finished') return;
      const { completionTokens } = outcome.finish.usage;
      expect(completionTokens).toBeLessThanOrEqual(asked.maxTokens);
    }),
    { numRuns: 300 },
  );
});
