import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DeliveredAnswer } from '../../../../src/core/operations/delivered-answer.ts';
import type { GenerateEvent } from '../../../../src/core/operations/events/events.ts';
import type { GenerateJob } from '../../../../src/core/operations/jobs/jobs.ts';

const JOB: GenerateJob = {
  op: 'generate',
  model: 'm',
  prompt: { kind: 'raw', text: 'Hi' },
  sampling: {},
  stop: [],
};
const text = (piece: string): GenerateEvent => ({ type: 'text', text: piece });
const thought = (piece: string): GenerateEvent => ({ type: 'reasoning', text: piece });
const usage = { promptTokens: 1, completionTokens: 2, cachedTokens: 0 };
const FINISH: GenerateEvent = { type: 'finish', reason: 'stop', usage };

/** The events that are passed on. */
function take(answer: DeliveredAnswer, events: GenerateEvent[]): GenerateEvent[] {
  return events.map((event) => answer.take(event)).filter((event) => event !== undefined);
}

function textOf(events: GenerateEvent[], type: GenerateEvent['type'] = 'text'): string {
  return events.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('');
}

describe('an answer that another engine repeats', () => {
  test('is passed on from where the first one ended', () => {
    const answer = new DeliveredAnswer(JOB);
    expect(textOf(take(answer, [{ type: 'start' }, text('one '), text('two ')]))).toBe('one two ');
    answer.restart();
    const again = [{ type: 'start' } as const, text('one '), text('two '), text('three'), FINISH];
    expect(take(answer, again)).toEqual([text('three'), FINISH]);
  });

  test('may arrive in other pieces', () => {
    const answer = new DeliveredAnswer(JOB);
    take(answer, [text('one two')]);
    answer.restart();
    expect(take(answer, [text('one'), text(' two three'), FINISH])).toEqual([
      text(' three'),
      FINISH,
    ]);
  });

  test('keeps the id of a delivered call, and continues its arguments', () => {
    const answer = new DeliveredAnswer(JOB);
    const call = (id: string): GenerateEvent => ({ type: 'tool-call', index: 0, id, name: 'add' });
    const piece = (json: string): GenerateEvent => ({
      type: 'tool-arguments',
      index: 0,
      text: json,
    });
    take(answer, [text('Well: '), call('first'), piece('{"a":')]);
    answer.restart();
    const again = [text('Well: '), call('second'), piece('{"a":'), piece(' 1}')];
    expect(take(answer, again)).toEqual([piece(' 1}')]);
  });

  test('is an error if it differs', () => {
    const differing: GenerateEvent[][] = [
      [thought('one ')],
      [text('One ')],
      [text('on'), thought('e')],
      [FINISH],
    ];
    for (const events of differing) {
      const answer = new DeliveredAnswer(JOB);
      take(answer, [text('one '), thought('hm')]);
      answer.restart();
      expect(() => take(answer, events)).toThrow('could not be continued');
    }
  });

  test('is whole, however often and wherever it breaks off', () => {
    const words = fc.array(
      fc.record({
        type: fc.constantFrom('text' as const, 'reasoning' as const),
        text: fc.string({ minLength: 1, maxLength: 4 }),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(words, fc.array(fc.nat({ max: 12 }), { maxLength: 4 }), (pieces, breaks) => {
        const events: GenerateEvent[] = [{ type: 'start' }, ...pieces, FINISH];
        const answer = new DeliveredAnswer(JOB);
        const got = breaks.flatMap((length) => {
          answer.restart();
          return take(answer, events.slice(0, Math.min(length, events.length - 1)));
        });
        answer.restart();
        got.push(...take(answer, events));
        for (const type of ['text', 'reasoning'] as const) {
          expect(textOf(got, type)).toBe(textOf(events, type));
        }
        expect(got.filter(({ type }) => type === 'finish')).toEqual([FINISH]);
        expect(got.at(-1)).toEqual(FINISH);
      }),
    );
  });
});

describe('a job', () => {
  test('keeps its seed', () => {
    const job = new DeliveredAnswer({ ...JOB, sampling: { seed: 7 } }).restart();
    expect(job).toMatchObject({ sampling: { seed: 7 } });
  });

  test('without a seed gets a different one each time', () => {
    const seeds = Array.from({ length: 20 }, () => {
      const job = new DeliveredAnswer(JOB).restart();
      return job.op === 'generate' ? job.sampling.seed : undefined;
    });
    expect(seeds.every(Number.isInteger)).toBe(true);
    expect(new Set(seeds).size).toBeGreaterThan(15);
  });

  test('is given to another engine with what the first one wrote', () => {
    const answer = new DeliveredAnswer(JOB);
    expect(answer.restart()).toMatchObject({ checkpoints: true, written: [] });
    const pieces = ['one ', 'two '].map((piece, index) => ({ text: piece, tokens: index + 1 }));
    const events = pieces.flatMap((piece): GenerateEvent[] => [
      { type: 'written', piece },
      text(piece.text),
    ]);
    expect(take(answer, events)).toEqual([text('one '), text('two ')]);
    expect(answer.restart()).toMatchObject({ checkpoints: true, written: pieces });
    // The second engine reports all of it again.
    expect(take(answer, events)).toEqual([]);
    expect(answer.restart()).toMatchObject({ written: pieces });
  });

  test('keeps its checkpoint until an engine has confirmed as much, however many end before', () => {
    const answer = new DeliveredAnswer(JOB);
    const pieces = ['one ', 'two '].map((piece, index) => ({ text: piece, tokens: index + 1 }));
    const written = pieces.map((piece): GenerateEvent => ({ type: 'written', piece }));
    answer.restart();
    take(answer, written);
    expect(answer.restart()).toMatchObject({ written: pieces });
    // This engine ends before it has reported anything, and the next one in the middle.
    expect(answer.restart()).toMatchObject({ written: pieces });
    take(answer, written.slice(0, 1));
    expect(answer.restart()).toMatchObject({ written: pieces });
    const more = { text: 'three', tokens: 3 };
    take(answer, [...written, { type: 'written', piece: more }]);
    expect(answer.restart()).toMatchObject({ written: [...pieces, more] });
  });
});
