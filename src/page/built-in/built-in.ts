/** `built-in.js`: the browser's own model, for pages of browsers that have one. */
import { builtInChannel } from '../../core/realms/built-in.ts';
import { SCRIPT_HAS_RUN } from '../../core/realms/messages.ts';
import { engineOf } from '../../core/port/engine.ts';
import { serveEngine } from '../../core/port/engine-host.ts';
import { BuiltInEngine, type BuiltInOperation } from './built-in-engine.ts';
import { failureOf } from './failure.ts';
import { expected, nativeModel } from './native-model.ts';

/** See BuiltInScript. */
export function serve(port: MessagePort): void {
  const onMessage = ({ ports: [engine] }: MessageEvent<unknown>) =>
    engine && serveEngine<BuiltInOperation>(engine, engineOf(new BuiltInEngine(download).runs));
  port.addEventListener('message', onMessage, { once: true });
  port.start();
  port.postMessage(SCRIPT_HAS_RUN);
}

/** See BuiltInScript. */
export async function download(signal = new AbortController().signal): Promise<void> {
  // This script is in the folder of the deployment.
  const channel = builtInChannel(new URL('.', import.meta.url).href);
  try {
    const session = await nativeModel().create({
      ...(await expected()),
      signal,
      monitor: (monitor) =>
        monitor.addEventListener('downloadprogress', ({ loaded }) => channel.postMessage(loaded)),
    });
    session.destroy();
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error, { hasFormat: false, hasBegun: false, window: 0 });
  } finally {
    channel.close();
  }
}
