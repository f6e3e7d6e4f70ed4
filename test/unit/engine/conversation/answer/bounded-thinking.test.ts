import { describe, expect, test } from 'vitest';
import { BoundedThinking } from '../../../../../src/engine/conversation/answer/bounded-thinking.ts';
import type {
  EmitRaw,
  Generation,
  RawEvent,
} from '../../../../../src/engine/conversation/text-model.ts';
import { NEVER } from '../../../support/never.ts';

const MARKS = { open: '<think>', close: '</think>' };
const OPENED = 'Hi<think>\n';
const NOTHING = { text: '', tokens: 0 };
const GRAMMAR = { type: 'grammar' as const, grammar: 'root ::= "yes"' };
const PLAIN: Generation = {
  sampling: { temperature: 1 },
  random: { seed: 3, choice: 0, drawn: 0 },
  constraint: { type: 'grammar', grammar: 'with thoughts' },
};

interface Asked extends Generation {
  prompt: string;
}

/** A model whose tokens are words; it writes the outputs one after the other. */
function scripted(...outputs: string[]) {
  const asked: Asked[] = [];
  let isInterrupted = false;
  const words = (text: string) => text.match(/\S+\s*|\s+/g) ?? [];
  const model = {
    generate,
    tokenizer: {
      encode: async (text: string) => words(text).map((_, at) => at),
      decode: async () => '',
      pieces: async () => [],
    },
  };
  async function generate(
    prompt: string,
    generation: Generation,
    _signal: AbortSignal,
    emit: EmitRaw,
  ): Promise<void> {
    asked.push({ prompt, ...generation });
    isInterrupted = false;
    const pieces = words(outputs.shift() ?? '');
    let count = 0;
    for (const text of pieces) {
      if (isInterrupted || count === generation.maxTokens) break;
      count++;
      emit({ type: 'text', text, tokens: [], count }, () => void (isInterrupted = true));
    }
    const usage = { promptTokens: 5, completionTokens: count, cachedTokens: asked.length };
    const isCut = count === generation.maxTokens;
    emit({ type: 'finish', reason: isCut ? 'length' : 'stop', usage });
  }
  const run = async (
    limit: number,
    generation = PLAIN,
    past = NOTHING,
    prompt = OPENED,
    reopens = false,
  ) => {
    const begin = prompt === OPENED ? ('opened' as const) : ('before' as const);
    const closing = '\n</think>\n\n';
    const bound = { marks: MARKS, closing, begin, reopens, limit, constraint: GRAMMAR };
    const bounded = new BoundedThinking(model, bound);
    const events: RawEvent[] = [];
    await bounded.run(prompt, past, generation, NEVER, (event) => events.push(event));
    const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
    return { events, text, finish: events.at(-1), asked };
  };
  return run;
}

describe('a bound of the thinking', () => {
  test('ends it, and the answer follows under its own constraint', async () => {
    const run = scripted('one two three four five', 'yes');
    const { text, asked, finish } = await run(3);
    expect(text).toBe('one two three \n</think>\n\nyes');
    expect(asked).toHaveLength(2);
    expect(asked[1]).toMatchObject({
      prompt: `${OPENED}one two three \n</think>\n\n`,
      constraint: GRAMMAR,
      random: { seed: 3, drawn: 3 },
    });
    const usage = { promptTokens: 5, cachedTokens: 1, completionTokens: 6 };
    expect(finish).toMatchObject({ type: 'finish', reason: 'stop', usage });
  });

  test('leaves the rest of the tokens for the answer', async () => {
    const run = scripted('one two three four five', 'yes indeed it is so');
    const { asked, finish, events } = await run(3, { ...PLAIN, maxTokens: 8 });
    expect(asked[1]).toMatchObject({ maxTokens: 3 });
    expect(finish).toMatchObject({ reason: 'length', usage: { completionTokens: 8 } });
    const counts = events.flatMap((event) => (event.type === 'text' ? event.count : []));
    expect(counts).toEqual([1, 2, 3, 5, 6, 7, 8]);
  });

  test('that leaves no token for the answer ends it', async () => {
    const run = scripted('one two three four five', 'yes');
    const { asked, finish } = await run(3, { ...PLAIN, maxTokens: 4 });
    expect(asked).toHaveLength(1);
    expect(finish).toMatchObject({ reason: 'length', usage: { completionTokens: 3 } });
  });

  test('never writes more than maxTokens, its closing mark included', async () => {
    for (let maxTokens = 1; maxTokens < 8; maxTokens++) {
      const run = scripted('one two three four five', 'yes indeed it is so');
      const { finish, events } = await run(2, { ...PLAIN, maxTokens });
      const used = finish?.type === 'finish' ? finish.usage.completionTokens : Infinity;
      expect(used).toBeLessThanOrEqual(maxTokens);
      const counts = events.flatMap((event) => (event.type === 'text' ? event.count : []));
      expect(counts.at(-1)).toBe(used);
    }
  });

  test('does not change an answer that thinks less', async () => {
    const run = scripted('one </think> yes it is so');
    const { text, asked } = await run(3);
    expect(text).toBe('one </think> yes it is so');
    expect(asked).toHaveLength(1);
  });

  test('does not change an answer without thoughts', async () => {
    const run = scripted('yes it is so');
    const { text } = await run(3, PLAIN, NOTHING, 'Hi');
    expect(text).toBe('yes it is so');
  });

  test('that the last token meets does not close the thinking twice', async () => {
    const run = scripted('one two three</think>', 'yes');
    const { text } = await run(2);
    expect(text).toBe('one two \n</think>\n\nyes');
    const other = scripted('one two</think> yes');
    expect((await other(2)).text).toBe('one two</think> yes');
  });

  test('counts the thoughts that follow a text as well, but not the text', async () => {
    const run = scripted('<think> one </think> so it is then <think> two three four', 'yes');
    const { text, asked } = await run(4, PLAIN, NOTHING, 'Hi', true);
    expect(text).toBe('<think> one </think> so it is then <think> \n</think>\n\nyes');
    expect(asked).toHaveLength(2);
  });

  test('closes a thought at once that is opened after it', async () => {
    const run = scripted('one two three', 'well <think> four five', 'yes', 'never');
    const { text, asked, finish, events } = await run(2, PLAIN, NOTHING, OPENED, true);
    const closing = '\n</think>\n\n';
    expect(text).toBe(`one two ${closing}well <think> ${closing}yes`);
    expect(asked.map(({ random }) => random.drawn)).toEqual([0, 2, 4]);
    const counts = events.flatMap((event) => (event.type === 'text' ? event.count : []));
    expect(counts).toEqual([1, 2, 4, 5, 6, 8, 9]);
    const usage = { promptTokens: 5, cachedTokens: 1, completionTokens: 9 };
    expect(finish).toMatchObject({ reason: 'stop', usage });
  });

  test('counts what another engine has written', async () => {
    const run = scripted('three four five', 'yes');
    const { text, asked } = await run(3, PLAIN, { text: 'one two ', tokens: 2 });
    expect(text).toBe('three \n</think>\n\nyes');
    expect(asked.map(({ prompt }) => prompt)).toEqual([
      `${OPENED}one two `,
      `${OPENED}one two three \n</think>\n\n`,
    ]);
  });
});
