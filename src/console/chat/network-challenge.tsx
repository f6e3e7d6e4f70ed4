import { useSignal, type ReadonlySignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import { formatBytes } from '../ui/format.ts';

/** Asks the visitor to switch the network off, and counts what this tab's questions have sent to servers. */
export function NetworkChallenge({ sentBytes }: { sentBytes: ReadonlySignal<number> }): VNode {
  const { network } = messages.value.chat;
  const isOnline = useSignal(navigator.onLine);
  useEffect(() => {
    const ending = new AbortController();
    const read = () => (isOnline.value = navigator.onLine);
    for (const type of ['online', 'offline']) {
      addEventListener(type, read, { signal: ending.signal });
    }
    return () => ending.abort();
  }, []);
  return (
    <p class="challenge" role="status">
      <span>{isOnline.value ? network.challenge : network.off}</span>{' '}
      <span class="sent">{fill(network.sent, { bytes: formatBytes(sentBytes.value) })}</span>
    </p>
  );
}
