/** Names what has the codecs or lacks them, for error messages. SharedWorkers have no WebCodecs in any browser. */
export function codecHost(): string {
  return 'onconnect' in globalThis
    ? "a SharedWorker (the site's option 'outlive')"
    : 'this browser';
}
