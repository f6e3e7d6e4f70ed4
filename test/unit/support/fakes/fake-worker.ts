import type { FromEngineWorker, ToEngineWorker } from '../../../../src/core/realms/messages.ts';
import { VERSION } from '../../../../src/core/version.ts';
import { EngineWorker } from '../../../../src/page/leader/engine-worker.ts';

export const CONFIG = {
  protocol: '1',
  base: 'http://a/',
  hub: 'http://hub/',
  libraries: 'http://libraries/',
};

/** Stands in for the browser's worker. A test decides what it says, and sees whether it was ended. */
export class FakeWorker extends EventTarget {
  /** The last worker that was made. */
  static last: FakeWorker;

  answersPings = true;
  isTerminated = false;
  readonly script: string;
  /** Ports that the worker got without a message. */
  readonly ports: MessagePort[] = [];

  constructor(script: string | URL) {
    super();
    this.script = String(script);
    FakeWorker.last = this;
  }

  /** `kept` of the last configuration, copied as the browser does. */
  kept: ReadonlyMap<string, object> | undefined;
  /** Lock of an engine that hung, in the last configuration. */
  hung: string | undefined;
  /** Locks of the engines that pages have ended, a list for each message about them. */
  readonly ended: string[][] = [];
  /** Messages about failures of the worker's own workers. */
  readonly failures: ToEngineWorker[] = [];

  postMessage(message: ToEngineWorker | string, ports: MessagePort[]): void {
    if (typeof message === 'string') return void this.ports.push(...ports);
    if (message.type === 'slashv1:worker-failed') this.failures.push(message);
    if (message.type === 'slashv1:configure') {
      this.kept = structuredClone(message.kept);
      this.hung = message.hung;
    }
    if (message.type === 'slashv1:ended') this.ended.push(message.locks);
    if (message.type === 'slashv1:ping' && this.answersPings) this.say({ type: 'slashv1:pong' });
  }

  terminate(): void {
    this.isTerminated = true;
  }

  say(data: FromEngineWorker, ports: MessagePort[] = []): void {
    this.dispatchEvent(new MessageEvent('message', { data, ports }));
  }
}

/** An engine whose worker has started. */
export function started(): { engine: EngineWorker; worker: FakeWorker } {
  const engine = new EngineWorker(CONFIG);
  FakeWorker.last.say({ type: 'slashv1:alive', lock: 'lock', version: VERSION });
  return { engine, worker: FakeWorker.last };
}
