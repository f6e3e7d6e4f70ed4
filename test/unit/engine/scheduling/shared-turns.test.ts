import { expect, test } from 'vitest';
import { Turnstile } from '../../../../src/engine/scheduling/turnstile.ts';
import { NEVER } from '../../support/never.ts';

/** Waits until everything has happened that needs no request to leave. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A turnstile in which requests of a model may run together, and the requests that run. */
function open(most: (model: string) => number = () => 2) {
  const turns = new Turnstile();
  const running = new Map<string, () => void>();
  /** @param name - client and model: `a1`; a capital shares its turn with none. */
  const enter = (name: string, signal = NEVER) => {
    const [client = '', model = ''] = name;
    const isAlone = client !== client.toLowerCase();
    const entering = turns.enter(client, signal, {
      ...(!isAlone && { group: model, most: () => most(model) }),
    });
    void entering.then(
      (leave) => running.set(name, leave),
      () => undefined,
    );
    return entering;
  };
  const leave = async (name: string) => {
    running.get(name)?.();
    running.delete(name);
    await settled();
  };
  const names = async () => {
    await settled();
    return [...running.keys()].join(' ');
  };
  return { turns, enter, leave, names };
}

test('requests of one model run together, as many as it can answer', async () => {
  const { enter, leave, names } = open();
  for (const name of ['a1', 'b1', 'c1', 'd1']) void enter(name);
  expect(await names()).toBe('a1 b1');
  await leave('b1');
  expect(await names()).toBe('a1 c1');
  await leave('a1');
  expect(await names()).toBe('c1 d1');
});

test('a request for another model waits until all have ended, and nobody overtakes it', async () => {
  const { enter, leave, names } = open(() => 4);
  for (const name of ['a1', 'b1', 'c2', 'd1']) void enter(name);
  expect(await names()).toBe('a1 b1');
  await leave('a1');
  expect(await names()).toBe('b1');
  await leave('b1');
  expect(await names()).toBe('c2');
  await leave('c2');
  expect(await names()).toBe('d1');
});

test('a request without a group runs alone', async () => {
  const { enter, leave, names } = open(() => 4);
  for (const name of ['a1', 'B1', 'c1']) void enter(name);
  expect(await names()).toBe('a1');
  await leave('a1');
  expect(await names()).toBe('B1');
  await leave('B1');
  expect(await names()).toBe('c1');
});

test('when the model can answer more, waiting requests come in', async () => {
  let most = 1;
  const { turns, enter, names } = open(() => most);
  for (const name of ['a1', 'b1', 'c1', 'd1']) void enter(name);
  expect(await names()).toBe('a1');
  most = 3;
  turns.admit();
  expect(await names()).toBe('a1 b1 c1');
});

test('a client with many requests takes no place that another client waits for', async () => {
  const { enter, leave, names } = open();
  void enter('a1');
  void enter('b1');
  for (const name of ['a2', 'a3', 'c1']) void enter(`${name[0]}1${name}`);
  expect(await names()).toBe('a1 b1');
  await leave('b1');
  expect(await names()).toBe('a1 c1c1');
});

test('an aborted request gives its place in the queue to the next', async () => {
  const { enter, leave, names } = open();
  const leaving = new AbortController();
  void enter('a1');
  void enter('b1');
  const aborted = enter('c1', leaving.signal);
  void enter('d1');
  leaving.abort();
  await expect(aborted).rejects.toThrow();
  await leave('a1');
  expect(await names()).toBe('b1 d1');
});

test('an aborted request for another model lets in those that waited behind it', async () => {
  const { enter, names } = open();
  const leaving = new AbortController();
  void enter('a1');
  const aborted = enter('b2', leaving.signal);
  void enter('c1');
  expect(await names()).toBe('a1');
  leaving.abort();
  await expect(aborted).rejects.toThrow();
  expect(await names()).toBe('a1 c1');
});

test('a request that makes way comes back beside the one that it let in', async () => {
  const { turns, enter, leave, names } = open();
  const sharing = { group: '1', most: () => 2 };
  const first = await turns.enter('a', NEVER, sharing);
  void enter('b1');
  void enter('c1');
  expect(await names()).toBe('b1');
  expect(turns.isWanted).toBe(false);
  const back = turns.makeWay('a', first, NEVER, sharing);
  expect(await names()).toBe('b1 c1');
  await leave('b1');
  (await back)();
});
