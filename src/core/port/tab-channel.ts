import { delay } from '../async/delay.ts';
import { orAborted } from '../async/or-aborted.ts';
import { serverError } from '../errors/errors.ts';
import type { HostPort } from './engine-port.ts';
import type { FromHost, ToHost } from './port-messages.ts';
import { channelLock, tabChannel, type TabAnswer, type TabMessage } from './tab-messages.ts';
import { holdWebLock, webLocks } from './web-lock.ts';
import { messageOf } from '../text/message-of.ts';

/** A request without an answer is repeated after this long, milliseconds: leaders come and go. */
const RETRY_MS = 1_000;

/**
 * Asks the tabs of a deployment for a connection to the engine host, until one answers or the signal aborts.
 *
 * @param own - the port if this tab hosts the engine itself
 * @throws ApiError 500 if the leader's engine cannot start
 */
export async function requestPortOfTabs(
  base: string,
  own: () => Promise<HostPort | undefined>,
  signal: AbortSignal,
): Promise<HostPort> {
  const nonce = crypto.randomUUID();
  const tabs = tabChannel(base);
  const port = await openChannel(nonce);
  const answer = Promise.withResolvers<HostPort>();
  port.onmessage = ({ data }: MessageEvent<TabAnswer>) => {
    if (data.type === 'slashv1:port') answer.resolve({ port, lock: data.lock });
    else answer.reject(serverError('engine_error', data.message));
  };
  // The leader may refuse between two turns, when nobody waits.
  answer.promise.catch(() => undefined);
  const message: TabMessage = { type: 'slashv1:connect', nonce };
  let found: HostPort | undefined;
  try {
    while (!found) {
      found = await orAborted(own(), signal);
      if (!found) {
        tabs.postMessage(message);
        found = await Promise.race([answer.promise, nextTurn(tabs, signal)]);
      }
    }
    return found;
  } finally {
    tabs.close();
    if (found?.port !== port) dismiss(port);
  }
}

/** Opens a channel, and lets the leader know by a Web Lock how long this tab uses it: a channel has no close event. */
async function openChannel(nonce: string): Promise<BroadcastChannel> {
  const release = await holdWebLock(channelLock(nonce));
  const channel = tabChannel(nonce);
  const close = channel.close.bind(channel);
  channel.close = () => {
    close();
    void release();
  };
  return channel;
}

/** Resolves when it is time to ask again: after a while, or as soon as another tab leads. */
async function nextTurn(tabs: BroadcastChannel, signal: AbortSignal): Promise<undefined> {
  const leads = new AbortController();
  tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.type === 'slashv1:leads') leads.abort();
  };
  await delay(RETRY_MS, AbortSignal.any([signal, leads.signal])).catch(() => undefined);
}

/** The leader need not keep a connection that nobody uses. */
function dismiss(port: BroadcastChannel): void {
  const message: ToHost = { type: 'bye' };
  port.postMessage(message);
  port.close();
}

/** The nonces of the requests that this tab answers or has answered. */
const answered = new Set<string>();

/**
 * Connects another tab with the engine host of this one: passes their messages on until one of them ends.
 *
 * @param nonce - of the tab's request, which it may have sent several times
 * @param attach - gives a port to this tab's engine host
 */
export async function answerTab(
  nonce: string,
  attach: () => Promise<HostPort<MessagePort> | undefined>,
): Promise<void> {
  if (answered.has(nonce)) return;
  answered.add(nonce);
  const channel = tabChannel(nonce);
  const tell = (message: TabAnswer) => channel.postMessage(message);
  const host = await attach().catch((error: unknown) => {
    tell({
      type: 'slashv1:no-port',
      message: messageOf(error),
    });
  });
  if (!host) {
    channel.close();
    answered.delete(nonce);
    return;
  }
  const { port, lock } = host;
  const close = () => {
    channel.close();
    port.close();
    answered.delete(nonce);
  };
  channel.onmessage = ({ data }: MessageEvent<ToHost>) => {
    port.postMessage(data);
    // Only now does the client listen: a channel keeps no messages for later.
    port.onmessage ??= (event: MessageEvent<FromHost>) => channel.postMessage(event.data);
    if (data.type === 'bye') close();
  };
  webLocks.watch(channelLock(nonce), close);
  tell({ type: 'slashv1:port', lock });
}
