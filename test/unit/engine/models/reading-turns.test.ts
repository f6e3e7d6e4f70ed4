import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ReadingTurns } from '../../../../src/engine/models/reading-turns.ts';
import { NEVER } from '../../support/never.ts';
import type { EmitRaw, RawEvent } from '../../../../src/engine/conversation/text-model.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

const TOTAL = 1000;
const BATCH = 100;
/** How long each batch takes, milliseconds. */
const BATCH_MS = 400;

interface Prompt {
  /** Tokens that the KV cache holds. */
  kept: number;
}

/** Reads the rest of the prompt, and then writes one token. */
async function generate(prompt: Prompt, signal: AbortSignal, emit: EmitRaw): Promise<void> {
  const usage = { promptTokens: TOTAL, cachedTokens: prompt.kept };
  while (prompt.kept < TOTAL) {
    vi.advanceTimersByTime(BATCH_MS);
    prompt.kept = Math.min(TOTAL, prompt.kept + BATCH);
    emit({ type: 'progress', read: { ...usage, readTokens: prompt.kept } });
    signal.throwIfAborted();
  }
  vi.advanceTimersByTime(10 * BATCH_MS);
  emit({ type: 'text', text: 'x', tokens: [], count: 1, prompt: usage });
  emit({ type: 'progress', read: { ...usage, readTokens: TOTAL } });
  emit({ type: 'finish', reason: 'stop', usage: { ...usage, completionTokens: 1 } });
}

/** The events of one turn. */
async function turn(turns: ReadingTurns, prompt: Prompt): Promise<RawEvent[]> {
  const events: RawEvent[] = [];
  const emit = (event: RawEvent) => void events.push(event);
  await turns.turn((signal, told) => generate(prompt, signal, told), NEVER, emit);
  return events;
}

/** How many tokens were read at the end of each turn, until there is an answer. */
async function ends(turns: ReadingTurns, prompt: Prompt, between = () => undefined as void) {
  const read = [];
  for (;;) {
    await turn(turns, prompt);
    read.push(prompt.kept);
    if (!turns.needsAnother) return read;
    between();
  }
}

describe('a long prompt', () => {
  test('is read in one turn if nobody waits', async () => {
    const prompt = { kept: 0 };
    const events = await turn(new ReadingTurns(() => false), prompt);
    expect(events.at(-1)).toMatchObject({ type: 'finish' });
    expect(events).toHaveLength(13);
  });

  test('is read in turns of about a second while others wait', async () => {
    expect(await ends(new ReadingTurns(() => true), { kept: 0 })).toEqual([300, 600, 900, 1000]);
  });

  test('is read to its end when little is left', async () => {
    expect(await ends(new ReadingTurns(() => true), { kept: 630 })).toEqual([930, 1000]);
    expect(await ends(new ReadingTurns(() => true), { kept: 640 })).toEqual([1000]);
  });

  test('is read again in one turn if its KV cache was taken', async () => {
    const prompt = { kept: 0 };
    const take = () => void (prompt.kept = 0);
    expect(await ends(new ReadingTurns(() => true), prompt, take)).toEqual([300, 1000]);
  });

  test('counts as cached only what was there before its first turn', async () => {
    const turns = new ReadingTurns(() => true);
    const prompt = { kept: 200 };
    await turn(turns, prompt);
    const events = await turn(turns, prompt);
    expect(events[0]).toMatchObject({ read: { cachedTokens: 200, readTokens: 600 } });
    const [text, , finish] = (await turn(turns, prompt)).slice(-3);
    expect(text).toMatchObject({ prompt: { cachedTokens: 200 } });
    expect(finish).toMatchObject({ usage: { promptTokens: TOTAL, cachedTokens: 200 } });
  });
});

test('an answer that has begun is not interrupted', async () => {
  const turns = new ReadingTurns(() => true);
  const events = await turn(turns, { kept: TOTAL });
  expect(events.map(({ type }) => type)).toEqual(['text', 'progress', 'finish']);
  expect(turns.needsAnother).toBe(false);
});
