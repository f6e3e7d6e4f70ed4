import { describe, expect, test } from 'vitest';
import { DeliveredAnswer } from '../../../src/core/operations/delivered-answer.ts';
import type { GenerateEvent } from '../../../src/core/operations/events/events.ts';
import type { ApiOperation, GenerateJob } from '../../../src/core/operations/jobs/jobs.ts';
import { iterated } from '../../unit/support/sinks.ts';
import { MODEL } from '../support/api.ts';
import { LlamaCppEngine } from '../support/llamacpp-engine.ts';

const NEVER = new AbortController().signal;

const tools: GenerateJob['tools'] = {
  tools: [
    {
      name: 'f',
      parameters: { type: 'object', properties: { a: { const: 1 } }, required: ['a'] },
    },
  ],
  choice: 'required',
  parallel: false,
};

/** Jobs whose answers are continued from their text, and jobs whose answers are written again. */
const JOBS: [name: string, content: string, changes: Partial<GenerateJob>][] = [
  ['a text', 'Count to 8.', {}],
  ['a text that chance decides', 'Introduce yourself.', { sampling: { temperature: 1, seed: 7 } }],
  ['a text that is cut', 'Count to 20.', { maxTokens: 12 }],
  ['a text that a stop string ends', 'Count to 8.', { stop: ['7'] }],
  ['a thought and a text', 'How many apples?', {}],
  ['a thought that is limited', 'How many apples?', { maxThinkingTokens: 4 }],
  ['JSON', 'Introduce yourself.', { format: { type: 'json_object' }, maxTokens: 30 }],
  ['a call', 'Use f.', { tools, maxTokens: 40 }],
  ['a penalised text', 'Count to 8.', { sampling: { temperature: 0, repetitionPenalty: 1.2 } }],
];

const jobOf = (content: string, changes: Partial<GenerateJob>): GenerateJob => ({
  op: 'generate',
  model: MODEL,
  prompt: { kind: 'chat', messages: [{ role: 'user', content }], templateOptions: {} },
  sampling: { temperature: 0 },
  stop: [],
  ...changes,
});

interface Told {
  /** Each kind of text, joined. */
  texts: Record<string, string>;
  finish: unknown;
}

function told(events: readonly GenerateEvent[]): Told {
  const texts: Told['texts'] = {};
  let finish: unknown;
  for (const event of events) {
    if ('text' in event) texts[event.type] = (texts[event.type] ?? '') + event.text;
    if (event.type === 'finish') {
      const { promptTokens, completionTokens } = event.usage;
      finish = { reason: event.reason, promptTokens, completionTokens };
    }
  }
  return { texts, finish };
}

/**
 * Runs the job to its end, or until `onPiece` ends the engine.
 *
 * @param onPiece - called with the number; if it returns true, the engine ends
 */
async function deliver(
  engine: LlamaCppEngine,
  answer: DeliveredAnswer,
  onPiece: (pieces: number) => boolean,
): Promise<{ events: GenerateEvent[]; isOver: boolean }> {
  const events: GenerateEvent[] = [];
  let pieces = 0;
  for await (const event of iterated<ApiOperation>(engine).run(answer.restart(), NEVER)) {
    const fresh = answer.take(event);
    if (fresh) events.push(fresh);
    if ('text' in event && onPiece(++pieces)) return { events, isOver: false };
  }
  return { events, isOver: true };
}

const engine = new LlamaCppEngine();

describe.each(JOBS)('%s', (_name, content, changes) => {
  const job = jobOf(content, changes);
  const whole = deliver(engine, new DeliveredAnswer(job), () => false).then(({ events }) =>
    told(events),
  );

  test.each([1, 6])('is whole if its engine ends after %i pieces', async (last) => {
    const answer = new DeliveredAnswer(job);
    const { events, isOver } = await deliver(engine, answer, (pieces) => pieces === last);
    if (!isOver) events.push(...(await deliver(engine, answer, () => false)).events);
    expect(told(events)).toEqual(await whole);
  });

  test.each([3])('is whole if its model’s worker ends after %i pieces', async (last) => {
    const ended = (pieces: number) => {
      if (pieces === last) engine.endWorker();
      return false;
    };
    const { events } = await deliver(engine, new DeliveredAnswer(job), ended);
    expect(told(events)).toEqual(await whole);
  });

  test('is whole if its model’s worker ends, and its engine soon after', async () => {
    const answer = new DeliveredAnswer(job);
    const { events, isOver } = await deliver(engine, answer, (pieces) => {
      if (pieces === 2) engine.endWorker();
      return pieces === 4;
    });
    if (!isOver) events.push(...(await deliver(engine, answer, () => false)).events);
    expect(told(events)).toEqual(await whole);
  });
});
