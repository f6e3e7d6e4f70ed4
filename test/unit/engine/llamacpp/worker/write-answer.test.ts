import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../../../src/core/errors/errors.ts';
import {
  ConstraintError,
  outputConstraint,
} from '../../../../../src/engine/conversation/constraint/output-constraint.ts';
import type { Generation } from '../../../../../src/engine/conversation/text-model.ts';
import { encode, STOP } from '../../../support/fakes/fake-llama.ts';
import { letters, openModel } from '../../../support/models/generating.ts';

describe('an answer', () => {
  test('is written token by token until the model ends its turn', async () => {
    const { ask } = openModel();
    const answer = await ask();
    expect(answer.pieces).toEqual([
      { text: 'h', ids: encode('h'), tokens: [] },
      { text: 'i', ids: encode('i'), tokens: [] },
    ]);
    expect(answer).toMatchObject({
      reason: 'stop',
      // The end of the turn counts.
      usage: { promptTokens: 8, completionTokens: 3, cachedTokens: 0 },
    });
  });

  test('ends at max_tokens', async () => {
    const { ask } = openModel();
    const answer = await ask({ generation: { maxTokens: 1 } });
    expect(answer).toMatchObject({ text: 'h', reason: 'length', usage: { completionTokens: 1 } });
  });

  test('ends when the context is full', async () => {
    const { llama, ask } = openModel({ contextLength: 12 });
    llama.think = letters;
    const answer = await ask();
    expect(answer).toMatchObject({ reason: 'length', usage: { completionTokens: 4 } });
    // The last token is not computed; a drafted one may be in its place.
    expect(llama.contexts[0]?.length).toBeLessThanOrEqual(12);
  });

  test('comes in whole characters', async () => {
    const { llama, ask } = openModel();
    llama.output = 'né!|';
    const { pieces } = await ask();
    expect(pieces.map(({ text }) => text)).toEqual(['n', 'é', '!']);
    expect(pieces.map(({ ids }) => ids.length)).toEqual([1, 2, 1]);
  });

  test('ends with U+FFFD if it ends inside a character', async () => {
    const { llama, ask } = openModel();
    llama.output = 'né|';
    expect((await ask({ generation: { maxTokens: 2 } })).text).toBe('n\uFFFD');
  });

  test('loses the space that its tokenizer added, unless it continues another answer', async () => {
    const { llama, ask } = openModel({ stripsFirstSpace: true });
    llama.output = ' hi|';
    expect((await ask()).text).toBe('hi');
    const drawn = { seed: 1, choice: 0, drawn: 3 };
    expect((await ask({ generation: { random: drawn } })).text).toBe(' hi');
  });
});

describe('a prompt', () => {
  test('is read in batches of 32 tokens, with progress and a turn of the event loop after each', async () => {
    const { llama, ask } = openModel();
    let turns = 0;
    const { progress } = await ask({ prompt: 'x'.repeat(70), onTurn: () => turns++ });
    expect(llama.batches.slice(0, 3).map(({ length }) => length)).toEqual([32, 32, 6]);
    expect(progress).toBe(3);
    // Two more between the three tokens.
    expect(turns).toBe(5);
  });

  test('that continues a conversation is read from where that ended', async () => {
    const { llama, ask } = openModel();
    await ask();
    const { usage } = await ask({ prompt: 'hello|A:hi|more|A:' });
    expect(llama.batches[0]).toBe('|more|A:');
    expect(usage).toMatchObject({ promptTokens: 18, cachedTokens: 10 });
  });

  test('begins with the token that the model wants first, once', async () => {
    const { llama, ask } = openModel();
    llama.firstToken = 1;
    await ask({ prompt: 'a' });
    expect(llama.contexts[0]?.slice(0, 2)).toEqual([1, 0x61]);
    await ask({ prompt: '\u0001b' });
    expect(llama.contexts[0]?.slice(0, 2)).toEqual([1, 0x62]);
  });

  test('that is empty is the end of a turn', async () => {
    const { llama, ask } = openModel();
    await ask({ prompt: '' });
    expect(llama.contexts[0]?.[0]).toBe(STOP);
  });

  test('that leaves no room for an answer is refused', async () => {
    const { ask } = openModel({ contextLength: 10 });
    const refused = ask({ prompt: 'x'.repeat(10) }).catch((error: unknown) => error);
    const error = await refused;
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      data: { status: 400, code: 'context_length_exceeded' },
      message: expect.stringContaining('10 tokens; the prompt has 10'),
    });
    expect(error).toMatchObject({ data: { overflow: { prompt: 10, context: 10 } } });
    expect((await ask({ prompt: 'x'.repeat(9) })).usage.completionTokens).toBe(1);
  });
});

describe('when it is stopped', () => {
  test('while it reads the prompt, it reads at most one more batch', async () => {
    const { llama, ask } = openModel();
    const answer = await ask({
      prompt: 'x'.repeat(150),
      onTurn: (run) => (run.isStopped = true),
    });
    expect(llama.batches).toHaveLength(1);
    expect(answer).toMatchObject({ text: '', usage: { completionTokens: 0 } });
    const { usage } = await ask({ prompt: 'x'.repeat(150) });
    expect(usage.cachedTokens).toBe(32);
  });

  test('while it writes, it ends within a token', async () => {
    const { llama, ask } = openModel();
    llama.think = letters;
    let written = 0;
    const answer = await ask({ onTurn: (run) => (run.isStopped = ++written > 4) });
    expect(answer).toMatchObject({ reason: 'stop', usage: { completionTokens: 4 } });
    expect(answer.text).toHaveLength(4);
  });
});

describe('the end of an answer', () => {
  const answer = async (ending: Generation['ending']) => {
    const { llama, ask } = openModel();
    llama.output = 'hi|';
    return ask({ generation: { ending, maxTokens: 5 } });
  };

  test('may be a token of the request, which is not part of the text', async () => {
    const { text, reason } = await answer({ stopTokenIds: encode('i') });
    expect({ text, reason }).toEqual({ text: 'h', reason: 'stop' });
  });

  test('comes after the least number of tokens', async () => {
    const { text, usage } = await answer({ minTokens: 4 });
    expect(text).toMatch(/^hi../);
    expect(usage.completionTokens).toBe(5);
  });

  test('may be forbidden', async () => {
    expect(await answer({ ignoresEnd: true })).toMatchObject({ reason: 'length' });
  });
});

describe('sampling', () => {
  const wild = { sampling: { temperature: 1 }, maxTokens: 20 };

  async function say(generation: Partial<Generation>) {
    const { llama, ask } = openModel();
    llama.think = letters;
    return (await ask({ generation: { ...wild, ...generation } })).text;
  }

  test('gives the same text for the same seed, and another for another', async () => {
    const first = await say({});
    expect(first).toMatch(/^[a-z]{20}$/);
    expect(await say({})).toBe(first);
    expect(await say({ random: { seed: 2, choice: 0, drawn: 0 } })).not.toBe(first);
    expect(await say({ random: { seed: 1, choice: 1, drawn: 0 } })).not.toBe(first);
  });

  test('goes on with the numbers that come after those drawn before', async () => {
    const whole = await say({});
    expect(await say({ random: { seed: 1, choice: 0, drawn: 5 } })).toBe(
      (await say({ maxTokens: 25 })).slice(5),
    );
    expect(whole).toHaveLength(20);
  });

  test('applies bias, penalties and limits', async () => {
    const greedy = { temperature: 0 };
    const b = { logitBias: { 0x62: 1 } };
    expect(await say({ sampling: { ...greedy, ...b } })).toBe('b'.repeat(20));
    const penalised = { ...greedy, ...b, frequencyPenalty: 2 };
    expect((await say({ sampling: penalised, maxTokens: 3 })).slice(0, 2)).toBe('ba');
    expect(await say({ sampling: { temperature: 2, ...b, topK: 1 } })).toBe('b'.repeat(20));
    expect(await say({ sampling: { temperature: 0.1, ...b, minP: 0.5 } })).toBe('b'.repeat(20));
    expect(await say({ sampling: { temperature: 1, ...b, topP: 0 } })).toBe('b'.repeat(20));
  });

  test('fails if no token is possible', async () => {
    const { llama, ask } = openModel();
    llama.think = () => new Float32Array(STOP + 1).fill(NaN);
    await expect(ask()).rejects.toThrow(/no possible next token/);
  });
});

describe('logprobs', () => {
  test('are the model’s own, with the best alternatives', async () => {
    const { llama, ask } = openModel();
    llama.think = () => Float32Array.from({ length: STOP + 1 }, (_, id) => (id === 0x61 ? 1 : 0));
    const asked = { sampling: { temperature: 0, logitBias: { 0x62: 100 } }, topLogprobs: 2 };
    const { pieces } = await ask({ generation: { ...asked, maxTokens: 1 } });
    const total = Math.log(Math.E + STOP);
    const [token] = pieces[0]?.tokens ?? [];
    expect(token?.id).toBe(0x62);
    expect(token?.logprob).toBeCloseTo(-total, 5);
    expect(token?.top).toEqual([
      [0x61, expect.closeTo(1 - total, 5)],
      [0, expect.closeTo(-total, 5)],
    ]);
  });

  test('are those of the model without the grammar', async () => {
    const { llama, ask } = openModel();
    llama.think = letters;
    const constraint = outputConstraint('root ::= "7"\n');
    const { text, pieces } = await ask({ generation: { constraint, topLogprobs: 1 } });
    expect(text).toBe('7');
    expect(pieces[0]?.tokens[0]).toMatchObject({
      id: 0x37,
      top: [[0x61, expect.closeTo(-3.26, 2)]],
    });
  });
});

describe('under a grammar', () => {
  const constraint = outputConstraint('root ::= [0-9]{3} "é"\n');

  test('only what it allows is written', async () => {
    const { llama, ask } = openModel();
    llama.think = letters;
    const { text, reason } = await ask({
      generation: { sampling: { temperature: 1 }, constraint },
    });
    expect(text).toMatch(/^\d\d\dé$/);
    expect(reason).toBe('stop');
  });

  test('that does not compile, nothing is read', async () => {
    const { llama, ask } = openModel();
    const wrong = outputConstraint('root ::= nothing\n');
    await expect(ask({ generation: { constraint: wrong } })).rejects.toThrow(ConstraintError);
    expect(llama.batches).toEqual([]);
  });
});

describe('an answer that another worker began', () => {
  test('is continued as if nothing had happened', async () => {
    for (const constraint of [undefined, outputConstraint('root ::= [a-z]{30}\n')]) {
      const sampling = { temperature: 1, presencePenalty: 1, frequencyPenalty: 0.5 };
      const generation = { sampling, constraint, maxTokens: 20 };
      const begun = openModel();
      begun.llama.think = letters;
      const whole = await begun.ask({ generation });
      const ids = whole.pieces.flatMap((piece) => piece.ids);
      const { llama, ask } = openModel();
      llama.think = letters;
      const rest = await ask({ generation, written: ids.slice(0, 9) });
      expect(rest.text).toBe(whole.text.slice(9));
      expect(rest.usage).toEqual(whole.usage);
      expect(rest.reason).toBe(whole.reason);
    }
  });

  test('is in the KV cache as a whole', async () => {
    const { llama, ask } = openModel();
    llama.think = (held) => {
      const logits = letters();
      logits[STOP] = held.length >= 12 ? 50 : -50;
      return logits;
    };
    const { text } = await ask({ written: encode('xy') });
    expect(text).toBe('aa');
    const { usage } = await ask({ prompt: 'hello|A:xyaa|more|A:' });
    expect(usage.cachedTokens).toBe(12);
  });
});

test('after a failure, the next prompt is read from its beginning', async () => {
  const { llama, ask } = openModel();
  llama.think = () => {
    throw new Error('broken');
  };
  await expect(ask()).rejects.toThrow('broken');
  llama.think = letters;
  const { usage } = await ask({ generation: { maxTokens: 1 } });
  expect(usage.cachedTokens).toBe(0);
});
