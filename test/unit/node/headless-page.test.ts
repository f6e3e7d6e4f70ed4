import { expect, onTestFinished, test } from 'vitest';
import type { BridgePage } from '../../../src/node/serve/bridge/bridge-page.ts';
import type { Chromium } from '../../../src/node/serve/browser/chromium.ts';
import { HeadlessPage } from '../../../src/node/serve/browser/headless-page.ts';
import { openDoor } from './support/bridge.ts';

/** How a browser and its page behave, in place of real ones. */
type Behaviour = (page: {
  send(message: object): void;
  /** The browser ends by itself. */
  die(how: string): void;
}) => void;

const READY: Behaviour = ({ send }) => send({ type: 'ready' });
/** A page that never connects. */
const ABSENT: Behaviour = () => {};

/** A page that is kept running, in browsers that behave as given. The last behaviour is repeated. */
async function keep(behaviours: Behaviour[], connectMs = 5_000) {
  const { door, connect } = await openDoor();
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const sockets: WebSocket[] = [];
  const logs: string[] = [];
  const ready = Promise.withResolvers<void>();
  let launched = 0;

  function launch(token: string): Chromium {
    const behave = behaviours[Math.min(launched++, behaviours.length - 1)];
    const { promise: exited, resolve: die } = Promise.withResolvers<string>();
    const socket = connect(behave === ABSENT ? 'none' : token);
    sockets.push(socket);
    const send = (message: object) => socket.send(JSON.stringify(message));
    socket.addEventListener('message', () => behave?.({ send, die }), { once: true });
    const stop = () => Promise.resolve(socket.close());
    return { exited, lastErrors: () => 'the last errors', stop };
  }

  const headless = new HeadlessPage({
    door,
    launch,
    start: { apiKey: 'sk-1', onProgress: () => {} },
    log: (text) => logs.push(text),
    connectMs,
  });
  const run = headless.run(ready.resolve, ending.signal);
  // The test itself checks whether it fails.
  run.catch(() => {});
  return { headless, run, ready: ready.promise, sockets, logs, ending, launches: () => launched };
}

test('the page is available when it is ready, and no longer after the end', async () => {
  const { headless, run, ready, ending } = await keep([READY]);
  const page: BridgePage = await headless.page();
  await ready;
  ending.abort();
  await run;
  await page.closed;
  await expect(headless.page()).rejects.toThrow('The server is ending.');
});

test('a page that crashed is restarted, and waiting requests get the new one', async () => {
  const { headless, sockets, logs } = await keep([READY]);
  const first = await headless.page();
  sockets[0]?.close();
  await first.closed;
  await expect.poll(() => headless.page()).not.toBe(first);
  expect(sockets.length).toBe(2);
  expect(logs).toEqual(['The page crashed.\nthe last errors\nRestarting it (1 of 3).']);
});

test('if the browser keeps crashing, the command fails with its last errors', async () => {
  const { headless, run, launches } = await keep([({ die }) => die('Chromium ended (SIGSEGV).')]);
  await expect(run).rejects.toThrow('Chromium ended (SIGSEGV).\nthe last errors');
  expect(launches()).toBe(4);
  await expect(headless.page()).rejects.toThrow('The server is ending.');
});

test('a failure that the page reports at its first start is final', async () => {
  const { run, launches } = await keep([
    ({ send }) => send({ type: 'failed', message: 'No GPU.' }),
  ]);
  await expect(run).rejects.toThrow(/^No GPU\.$/);
  expect(launches()).toBe(1);
});

test('if the page does not connect, the command fails', async () => {
  const { run, launches } = await keep([ABSENT], 100);
  await expect(run).rejects.toThrow(
    /^The page did not connect within 0\.1 s\..*\nthe last errors$/,
  );
  expect(launches()).toBe(1);
});
