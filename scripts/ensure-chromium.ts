import { existsSync } from 'node:fs';
import { findChromium } from '../src/node/browser.ts';
import { runCommand } from './run-command.ts';

const APT = '/usr/bin/apt-get';

/**
 * Finds a Chromium. If there is none, Debian's is installed, provided that this process
 * is root and no other browser is named in the environment. Otherwise throws findChromium's Error.
 */
export async function ensureChromium(): Promise<void> {
  try {
    findChromium();
    return;
  } catch (error) {
    const isRoot = process.getuid?.() === 0;
    const isNamed = process.env['SLASHV1_CHROMIUM'] ?? process.env['CHROME_PATH'];
    if (!isRoot || isNamed || !existsSync(APT)) throw error;
  }
  const options = { env: { DEBIAN_FRONTEND: 'noninteractive' }, toStderr: true };
  await runCommand(APT, ['update'], options);
  await runCommand(APT, ['install', '-y', '--no-install-recommends', 'chromium'], options);
  findChromium();
}
