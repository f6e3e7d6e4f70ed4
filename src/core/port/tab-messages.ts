/**
 * A message between the tabs of a deployment, on the channel `tabChannel(base)`. Pages without a service worker
 * reach the engine this way.
 */
export type TabMessage =
  /**
   * The sender wants to reach the engine. The leader answers on the channel `tabChannel(nonce)`. The sender holds the
   * Web Lock `channelLock(nonce)` until it closes that channel.
   */
  | { type: 'slashv1:connect'; nonce: string }
  /** The sender has become the leader. */
  | { type: 'slashv1:leads' }
  /** The sender leads, and its engine, which outlives pages, is of this version. */
  | { type: 'slashv1:outliving'; version: string };

/** Leader → the tab that asked. */
export type TabAnswer =
  /** From now on the channel is a port to the engine host with this Web Lock. */
  | { type: 'slashv1:port'; lock: string }
  /** The engine cannot start. */
  | { type: 'slashv1:no-port'; message: string };

/** @param name - the base URL of a deployment, or the nonce of a request */
export function tabChannel(name: string): BroadcastChannel {
  return new BroadcastChannel(`slashv1:${name}`);
}

/** Name of the Web Lock that tells whether the tab that made the channel still uses it. */
export function channelLock(nonce: string): string {
  return `slashv1:channel:${nonce}`;
}
