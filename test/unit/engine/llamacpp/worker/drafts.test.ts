import { describe, expect, test } from 'vitest';
import { outputConstraint } from '../../../../../src/engine/conversation/constraint/output-constraint.ts';
import type { Generation } from '../../../../../src/engine/conversation/text-model.ts';
import { encode } from '../../../support/fakes/fake-llama.ts';
import { COSTS, letters, openModel } from '../../../support/models/generating.ts';

const GRAMMAR = outputConstraint('root ::= "abc" [0-9] "defghijklmnop" [0-9]\n');
const TEXT = 'abc7defghijklmnop8';

/** A model that asks for this text, with a grammar. */
function constrained(options: Parameters<typeof openModel>[0] = {}) {
  const opened = openModel(options);
  opened.llama.output = `${TEXT}|`;
  const ask: typeof opened.ask = (asked) =>
    opened.ask({ ...asked, generation: { constraint: GRAMMAR, ...asked?.generation } });
  return { ...opened, ask };
}

const longest = (batches: readonly string[]) => Math.max(...batches.map(({ length }) => length));

test('what a grammar forces is computed in batches, and written token by token', async () => {
  const { llama, ask } = constrained();
  const answer = await ask();
  expect(answer.pieces.map(({ text }) => text)).toEqual(TEXT.split(''));
  expect(answer.usage).toMatchObject({ completionTokens: TEXT.length + 1 });
  expect(llama.batches.slice(1)).toEqual(['abc', '7defgh', 'ijklmnop', '8']);
});

test('without drafts, the answer is the same', async () => {
  const [without, drafted] = [constrained({ mostDrafted: 0 }), constrained()];
  const asked: Partial<Generation>[] = [
    {},
    { topLogprobs: 3 },
    { maxTokens: 6 },
    { sampling: { temperature: 2, logitBias: { 55: 3 }, frequencyPenalty: 1 } },
    { ending: { stopTokenIds: encode('g') } },
    { ending: { minTokens: 30 } },
  ];
  for (const generation of asked) {
    const { usage, ...answer } = await drafted.ask({ generation });
    const { drafts, ...counts } = usage;
    expect({ ...answer, usage: counts }).toEqual(await without.ask({ generation }));
    expect(drafts?.forced?.accepted).toBeGreaterThan(0);
    expect(longest(without.llama.batches.slice(1))).toBe(1);
    expect(longest(drafted.llama.batches.slice(1))).toBeGreaterThan(1);
  }
});

test('a draft ends before a token that the grammar does not allow', async () => {
  const { llama, ask } = constrained();
  // The tokenizer takes these bytes for others.
  llama.tokenize = (text) => encode(text).map((token) => (token === 0x66 ? 0x58 : token));
  expect((await ask()).text).toBe(TEXT);
  expect(llama.batches.slice(1)).toEqual(['abc', '7de', 'fghijkl', 'mnop', '8']);
});

test('marks are drafted as they came before, and computed only where they probably come again', async () => {
  const { llama, ask } = openModel();
  llama.output = 'x, x, x,x;0123456789abcdefghij|';
  const constraint = outputConstraint('root ::= ("x," " "?)+ "x;" "0123456789abcdefghij"\n');
  expect((await ask({ generation: { constraint } })).text).toBe(llama.output.slice(0, -1));
  const batches = ['x,', ' x,', ' x, ', 'x,', ';01234', '56789abc', 'defghij'];
  expect(llama.batches.slice(1)).toEqual(batches);
});

test('characters of several bytes are drafted, also from the middle of one', async () => {
  const { llama, ask } = openModel();
  llama.output = 'größe: 漢字🙂|';
  const constraint = outputConstraint('root ::= "gr" ("ö" | "ü") "ße: " ("漢字" | "漢学") "🙂"\n');
  expect((await ask({ generation: { constraint } })).text).toBe('größe: 漢字🙂');
  expect(llama.batches.length).toBeLessThan(12);
});

describe('a draft does not exceed', () => {
  test('max_tokens', async () => {
    const { llama, ask } = constrained();
    await ask({ generation: { maxTokens: 6 } });
    expect(llama.batches.slice(1)).toEqual(['abc', '7d']);
  });

  test('the context', async () => {
    const { llama, ask } = constrained({ contextLength: 14 });
    expect(await ask()).toMatchObject({ text: 'abc7de', reason: 'length' });
    expect(llama.contexts[0]?.length).toBeLessThanOrEqual(14);
  });
});

test('a stop in the middle of a draft ends the answer, whose conversation goes on as written', async () => {
  const { llama, ask } = constrained();
  let turns = 0;
  const stopped = await ask({ onTurn: (run) => (run.isStopped = ++turns > 6) });
  expect(stopped.text).toBe('abc7de');
  llama.output = 'hi|';
  const next = await ask({ prompt: 'hello|A:abc7d, say', generation: { constraint: undefined } });
  expect(next).toMatchObject({ text: 'hi', usage: { cachedTokens: 13 } });
});

test('an answer that another worker began is drafted from there on', async () => {
  const { llama, ask } = constrained();
  llama.think = letters;
  const answer = await ask({ written: encode('ab') });
  expect(answer.text.slice(0, 2)).toBe('c0');
  expect(llama.batches.slice(1)).toContain('0defg');
});

describe('without a grammar', () => {
  const PARAGRAPH = 'the ship came home at noon with salt and rope';

  test('a text of the prompt that is repeated is drafted, and the drafts grow with their success', async () => {
    const { llama, ask } = openModel();
    llama.output = `${PARAGRAPH}|`;
    const answer = await ask({ prompt: `say ${PARAGRAPH}|A:` });
    expect(answer.text).toBe(PARAGRAPH);
    const { drafted = 0, accepted = 0 } = answer.usage.drafts?.lookup ?? {};
    expect(accepted).toBeGreaterThan(PARAGRAPH.length / 2);
    expect(drafted - accepted).toBeLessThan(4);
    expect(llama.batches.slice(1).map(({ length }) => length)).toContain(8);
  });

  test('a prediction is drafted from the first token on, and again after what differs from it', async () => {
    const { llama, ask } = openModel();
    llama.output = 'the ship came back at noon with salt and rope|';
    const answer = await ask({ generation: { prediction: PARAGRAPH } });
    expect(answer.text).toBe(llama.output.slice(0, -1));
    const { drafted = 0, accepted = 0 } = answer.usage.drafts?.prediction ?? {};
    expect(accepted).toBeGreaterThanOrEqual(30);
    expect(drafted - accepted).toBeLessThan(9);
    expect(answer.usage.completionTokens).toBe(llama.output.length);
  });

  test('a prediction that is always wrong is soon not computed any more', async () => {
    const { llama, ask } = openModel();
    const wrong = Array.from({ length: 40 }, (_, at) => String.fromCharCode(0x61 + (at % 26)));
    llama.output = `${wrong.join('')}|`;
    const prediction = wrong.map((letter) => `${letter}!`).join('');
    const answer = await ask({ generation: { prediction } });
    expect(answer.text).toBe(wrong.join(''));
    expect(answer.usage.drafts?.prediction?.drafted).toBeLessThan(8);
  });

  test('where a further token of a batch costs as much as one alone, nothing is drafted', async () => {
    const { llama, ask } = openModel({ costs: { ...COSTS, share: 1 } });
    llama.output = `${PARAGRAPH}|`;
    const answer = await ask({ generation: { prediction: PARAGRAPH } });
    expect(answer).toMatchObject({ text: PARAGRAPH });
    expect(answer.usage.drafts).toBeUndefined();
    expect(longest(llama.batches.slice(1))).toBe(1);
  });

  test('a draft that the device does not compute changes no text', async () => {
    const { llama, ask } = openModel();
    llama.decodeTogether = (batches) => {
      for (const { context, tokens, position } of batches) {
        llama.decode(context, tokens.slice(0, 1), position, 1);
      }
      return batches.every(({ tokens }) => tokens.length === 1);
    };
    llama.output = `${PARAGRAPH}|`;
    const answer = await ask({ generation: { prediction: PARAGRAPH } });
    expect(answer.text).toBe(PARAGRAPH);
    expect(answer.usage.drafts?.prediction).toMatchObject({ accepted: 0 });
  });

  test('the end of a turn is not drafted', async () => {
    const { llama, ask } = openModel();
    llama.output = 'a cat|';
    expect((await ask({ prompt: 'see a cat|A:' })).text).toBe('a cat');
    expect(llama.batches.slice(1).join('')).not.toContain('|');
  });
});
