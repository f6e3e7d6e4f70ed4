/**
 * The client's end of a connection to an engine host. Tabs without a service worker have no way to hand a
 * MessagePort over: their connection is a BroadcastChannel that only the two of them know.
 */
export type EnginePort = MessagePort | BroadcastChannel;

/** A port to an engine host, and the Web Lock that the host holds as long as it lives. */
export interface HostPort<Port = EnginePort> {
  port: Port;
  lock: string;
}
