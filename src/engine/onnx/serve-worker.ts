import type { Engine } from '../../core/protocol/engine.ts';
import type { Operation } from '../../core/protocol/jobs.ts';
import type { FromHost } from '../../core/protocol/port-messages.ts';
import { toErrorData } from '../../core/protocol/errors.ts';
import type { EngineConfig, ToEngineWorker } from '../../core/protocol/messages.ts';
import { holdWebLock } from '../../core/protocol/web-lock.ts';
import { serveEngine } from '../../core/protocol/engine-host.ts';
import { enginePort } from '../engine-port.ts';

declare const self: DedicatedWorkerGlobalScope;

/**
 * Answers the jobs of an `OnnxWorker`: the entry of each worker's script. It holds a Web Lock as long as the
 * worker lives. When the lock is released, the engine worker knows that this worker is gone.
 *
 * @param setUp - makes the engine when the worker's configuration has arrived
 */
export function serveWorker<Ops extends Operation>(
  task: string,
  setUp: (config: EngineConfig) => Promise<Engine<Ops>>,
): void {
  const lock = `slashv1:${task}:${crypto.randomUUID()}`;
  const configured = Promise.withResolvers<Engine<Ops>>();

  const configure = async (config: EngineConfig): Promise<Engine<Ops>> => {
    const [engine] = await Promise.all([setUp(config), holdWebLock(lock)]);
    return engine;
  };
  const attach = async (port: MessagePort): Promise<void> => {
    try {
      serveEngine<Ops>(port, await configured.promise, { lock });
    } catch (error) {
      const message: FromHost = { type: 'refused', error: toErrorData(error) };
      port.postMessage(message);
    }
  };
  const receive = ({ data, ports }: MessageEvent<ToEngineWorker>) => {
    if (data.type === 'slashv1:configure') configured.resolve(configure(data.config));
    else if (ports[0]) void attach(ports[0]);
  };
  void enginePort(self).then((port) => {
    port.onmessage = receive;
  });
}
