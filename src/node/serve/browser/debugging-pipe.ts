import type { Readable, Writable } from 'node:stream';

/** With this switch, Chromium reads DevTools commands from file descriptor 3 and answers on 4, NUL-terminated. */
export const DEBUGGING_PIPE = '--remote-debugging-pipe';

/**
 * Opens an address in a new tab. Every user of this computer can read a program's arguments, but only
 * the browser can read this pipe, so the address may hold a secret.
 *
 * @param onMessage - called with each message of the browser, which is JSON
 */
export function openOverPipe(
  url: string,
  { commands, answers }: { commands: Writable; answers: Readable },
  onMessage: (json: string) => void,
): void {
  // A broken pipe means that the browser has ended, and its `exit` event says how.
  for (const pipe of [commands, answers]) pipe.on('error', () => {});
  answers.setEncoding('utf8').on('data', (text: string) => text.split('\0').forEach(onMessage));
  commands.write(`${JSON.stringify({ id: 1, method: 'Target.createTarget', params: { url } })}\0`);
}
