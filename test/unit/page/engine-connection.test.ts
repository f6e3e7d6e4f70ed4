import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Engine } from '../../../src/core/protocol/engine.ts';
import type { ToPage } from '../../../src/core/protocol/messages.ts';
import { serveEngine } from '../../../src/engine/host.ts';
import { EngineConnection } from '../../../src/page/engine-connection.ts';

const NEVER = new AbortController().signal;
const engine: Engine = { async *run() {} };

let container: EventTarget;
let ports: MessagePort[];
/** Ends the engine that was handed out last. */
let end: () => void;
let connection: EngineConnection;
let stopping: AbortController;

/** As a leader's tab does, by way of the service worker. */
function handOut(): void {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  serveEngine(port2, engine, { watch: () => undefined });
  const data: ToPage = { type: 'slashv1:port', lock: `engine ${ports.length}` };
  container.dispatchEvent(new MessageEvent('message', { data, ports: [port1] }));
}

beforeEach(() => {
  container = new EventTarget();
  ports = [];
  stopping = new AbortController();
  const locks = {
    request(name: string, options: unknown, released?: () => void) {
      // Shared: somebody waits for the engine's end. Otherwise a client shows that it lives.
      if (released && name.startsWith('engine')) end = released;
      else if (typeof options === 'function') (options as () => void)();
      return Promise.resolve();
    },
  };
  vi.stubGlobal('navigator', { serviceWorker: container, locks });
  const active = { postMessage: () => setTimeout(handOut) };
  const registration = { active } as unknown as ServiceWorkerRegistration;
  connection = new EngineConnection(Promise.resolve(registration), stopping.signal);
});

afterEach(() => {
  stopping.abort();
  for (const port of ports) port.close();
  vi.unstubAllGlobals();
});

test('all who lost the same engine share the next one', async () => {
  const first = await connection.connect(NEVER);
  end();
  expect(first.isGone).toBe(true);
  const [a, b] = await Promise.all([connection.connect(NEVER), connection.connect(NEVER)]);
  expect(a).not.toBe(first);
  expect(b).toBe(a);
});

test('an attempt outlives who asked for it first', async () => {
  const leaving = new AbortController();
  const left = connection.connect(leaving.signal);
  const stayed = connection.connect(NEVER);
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  expect((await stayed).isGone).toBe(false);
});
