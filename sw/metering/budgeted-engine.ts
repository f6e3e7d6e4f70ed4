import type { Engine } from '../../src/core/port/engine.ts';
import { tokenBudgetExceeded } from '../../src/core/errors/errors.ts';
import type { EventOf } from '../../src/core/operations/events.ts';
import type { ApiOperation, JobOf } from '../../src/core/operations/jobs.ts';
import type { StoredKey } from '../../src/core/database/database.ts';
import { budgetReset, tokensToday } from '../../src/core/keys/key-use.ts';
import { JobMeter } from './job-meter.ts';
import { metered } from './metered.ts';

/** The operations whose tokens count. */
const COSTS = new Set<ApiOperation>(['generate', 'embed', 'rerank', 'transcribe']);

/** While an answer is written, its tokens are noted this often, milliseconds: a worker can be stopped at any time. */
const NOTE_MS = 1_000;

/**
 * The engine for requests of a key with a budget: it refuses jobs if none is left, and notes what the others use. The
 * tokens of an answer are noted before its end is passed on, so that a client's next request is judged with them.
 */
export function budgeted(
  engine: Engine<ApiOperation>,
  key: StoredKey,
  spend: (id: string, tokens: number) => Promise<void>,
): Engine<ApiOperation> {
  const { id, tokensPerDay } = key;
  if (tokensPerDay === undefined) return engine;
  async function* run<Op extends ApiOperation>(
    job: JobOf<Op>,
    signal: AbortSignal,
    limit: number,
  ): AsyncGenerator<EventOf<Op>, void, undefined> {
    if (tokensToday(key) >= limit) throw tokenBudgetExceeded(limit, budgetReset());
    const meter = new JobMeter();
    let spent = 0;
    let notedAt = performance.now();
    const note = async () => {
      const tokens = meter.tokens - spent;
      spent += tokens;
      notedAt = performance.now();
      // Without storage, there would be no key.
      if (tokens > 0) await spend(id, tokens).catch(() => undefined);
    };
    try {
      for await (const event of metered(engine, job, signal, meter)) {
        if (event.type === 'finish') await note();
        else if (performance.now() - notedAt > NOTE_MS) void note();
        yield event;
      }
    } finally {
      await note();
    }
  }
  return {
    run: (job, signal) =>
      COSTS.has(job.op) ? run(job, signal, tokensPerDay) : engine.run(job, signal),
  };
}
