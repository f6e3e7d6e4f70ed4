import { describe, expect, test, vi } from 'vitest';
import {
  answerOf,
  chatJob,
  openEngine,
  reportsOf,
  stageOf,
} from '../../support/servers/engine-site.ts';
import { end, FakeMlcEngine } from '../../support/fakes/fake-mlc-engine.ts';
import { NEVER } from '../../support/never.ts';

vi.mock('@mlc-ai/web-llm', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  MLCEngine: (await import('../../support/fakes/fake-mlc-engine.ts')).FakeMlcEngine,
}));

const mlc = () => FakeMlcEngine.last;

describe('where memory is scarce', () => {
  test('a model replaces the least recently used one', async () => {
    const { engine, progress } = await openEngine({}, { memoryBudget: 1 });
    for (const model of ['a', 'b', 'b', 'a']) {
      expect((await answerOf(engine.run(chatJob(model, 'Hi'), NEVER))).text).toBe('Hello there');
    }
    expect([mlc().reloads.length, mlc().unloads]).toEqual([3, 2]);
    expect([stageOf(progress, 'a'), stageOf(progress, 'b')]).toEqual(['ready', 'unloaded']);
  });

  test('clients still take turns, whatever that costs in loading', async () => {
    const { engine, memory } = await openEngine({}, { memoryBudget: 1 });
    const asked = vi.spyOn(memory, 'expect');
    const { promise: asking, resolve } = Promise.withResolvers<void>();
    mlc().generate = async function* () {
      await asking;
      yield* end('stop', 1, 1);
    };
    const order: string[] = [];
    const ask = async (model: string, client: string) => {
      await answerOf(engine.run({ ...chatJob(model, 'Hi'), client }, NEVER));
      order.push(model);
    };
    const first = ask('a', 'x');
    await vi.waitFor(() => expect(mlc().running).toBe(1));
    const others = [ask('a', 'x'), ask('a', 'x'), ask('b', 'y')];
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(4));
    resolve();
    await Promise.all([first, ...others]);
    expect(order).toEqual(['a', 'b', 'a', 'a']);
    expect(mlc().reloads).toHaveLength(3);
  });

  test('a load that runs out of memory is tried once more, without the others', async () => {
    const { engine, progress, onBroken } = await openEngine();
    await answerOf(engine.run(chatJob('a', 'Hi'), NEVER));
    mlc().load = () => {
      mlc().load = () => Promise.resolve();
      return Promise.reject(new Error('Out of memory'));
    };
    const reports = await reportsOf(progress, async () => {
      const { text } = await answerOf(engine.run(chatJob('b', 'Hi'), NEVER));
      expect(text).toBe('Hello there');
    });
    expect(reports.map(({ stage }) => stage)).not.toContain('failed');
    expect([stageOf(progress, 'a'), stageOf(progress, 'b')]).toEqual(['unloaded', 'ready']);
    expect(onBroken).not.toHaveBeenCalled();
  });
});

describe('a model without requests', () => {
  test('is unloaded, and the next request loads it again', async () => {
    const { engine, progress } = await openEngine({}, { unloadAfterMs: 0 });
    for (const loads of [1, 2]) {
      expect((await answerOf(engine.run(chatJob('a', 'Hi'), NEVER))).text).toBe('Hello there');
      await vi.waitFor(() => expect(stageOf(progress, 'a')).toBe('unloaded'));
      expect([mlc().reloads.length, mlc().unloads]).toEqual([loads, loads]);
    }
  });

  test('stays while requests for it wait for their turn', async () => {
    const { engine, progress } = await openEngine({}, { unloadAfterMs: 0 });
    const all = ['1', '2', '3'].map((text) => answerOf(engine.run(chatJob('a', text), NEVER)));
    await Promise.all(all);
    await vi.waitFor(() => expect(stageOf(progress, 'a')).toBe('unloaded'));
    expect(mlc().reloads).toHaveLength(1);
  });

  test('that cannot be unloaded has its worker replaced', async () => {
    const { engine, onBroken } = await openEngine({}, { unloadAfterMs: 0 });
    mlc().unload = () => Promise.reject(new Error('Device lost'));
    await answerOf(engine.run(chatJob('a', 'Hi'), NEVER));
    await vi.waitFor(() => expect(onBroken).toHaveBeenCalledOnce());
  });
});
