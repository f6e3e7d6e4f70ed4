import { describe, expect, test, vi } from 'vitest';
import type { GenerateEvent } from '../../../../src/core/operations/events/events.ts';
import { answerOf, chatJob, openEngine } from '../../support/servers/engine-site.ts';
import { FakeMlcEngine, token } from '../../support/fakes/fake-mlc-engine.ts';
import { NEVER } from '../../support/never.ts';

vi.mock('@mlc-ai/web-llm', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  MLCEngine: (await import('../../support/fakes/fake-mlc-engine.ts')).FakeMlcEngine,
}));

const mlc = () => FakeMlcEngine.last;

describe('several answers to one job', () => {
  test('are generated one after the other, each with its own seed', async () => {
    const { engine } = await openEngine();
    const job = { ...chatJob('a', 'Hi'), choices: 3, sampling: { seed: 1 } };
    const events: GenerateEvent[] = [];
    for await (const event of engine.run(job, NEVER)) events.push(event);
    expect(events.filter(({ type }) => type === 'finish')).toHaveLength(3);
    expect(new Set(mlc().requests.map(({ seed }) => seed)).size).toBe(3);
    expect(mlc().requests.map(({ messages }) => messages.length)).toEqual([1, 1, 1]);
  });

  test('end when the client leaves', async () => {
    const { engine } = await openEngine();
    const controller = new AbortController();
    const events = engine.run({ ...chatJob('a', 'Hi'), choices: 3 }, controller.signal);
    for await (const event of events) if (event.type === 'finish') break;
    expect(mlc().requests).toHaveLength(1);
    mlc().generate = async function* () {
      yield token('Hello');
      controller.abort(new Error('left'));
      yield token(' there');
    };
    const again = engine.run({ ...chatJob('a', 'Hi'), choices: 3 }, controller.signal);
    await expect(answerOf(again)).rejects.toThrow('left');
    expect(mlc().requests).toHaveLength(2);
    expect(mlc().running).toBe(0);
  });
});

describe('a bias', () => {
  test('for a token that the model does not have is the request’s fault', async () => {
    const { engine, onBroken } = await openEngine();
    const bias = (id: number) => ({
      ...chatJob('a', 'Hi'),
      sampling: { logitBias: { 5: 1, [id]: 1 } },
    });
    await expect(answerOf(engine.run(bias(1024), NEVER))).rejects.toMatchObject({
      data: { status: 400, param: 'logit_bias.1024' },
    });
    expect(onBroken).not.toHaveBeenCalled();
    expect((await answerOf(engine.run(bias(1023), NEVER))).text).toBe('Hello there');
  });

  test('without entries is left out', async () => {
    const { engine } = await openEngine();
    const job = { ...chatJob('a', 'Hi'), sampling: { logitBias: {} } };
    await answerOf(engine.run(job, NEVER));
    expect(mlc().requests.at(-1)?.logit_bias).toBeNull();
  });
});
