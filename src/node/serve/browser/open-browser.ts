import { spawn } from 'node:child_process';

/** Whether the user can see a window. macOS and Windows always have a display. */
export function hasDisplay(env = process.env, platform = process.platform): boolean {
  if (platform === 'darwin' || platform === 'win32') return true;
  return Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);
}

/**
 * Shows an address in the user's browser; if there is none, the user opens the printed address.
 *
 * @param url - must not contain a secret: every user of this computer can read a program's arguments.
 *   The user's browser needs no secret, because it shows the site and does not serve the bridge.
 */
export function openBrowser(url: string): void {
  const [command, ...args] = opener(process.platform);
  const child = spawn(command, [...args, url], { detached: true, stdio: 'ignore' });
  child.on('error', () =>
    process.stderr.write(`${command} is missing: open the address yourself.\n`),
  );
  child.unref();
}

function opener(platform: NodeJS.Platform): [command: string, ...args: string[]] {
  if (platform === 'darwin') return ['open'];
  // `start` is built into cmd, and takes the first quoted argument as the window's title.
  if (platform === 'win32') return ['cmd', '/c', 'start', '""'];
  return ['xdg-open'];
}
