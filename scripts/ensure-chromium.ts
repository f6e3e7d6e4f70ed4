import { existsSync } from 'node:fs';
import { findChromium } from '../src/node/browser.ts';
import { runCommand } from './run-command.ts';

const APT = '/usr/bin/apt-get';

/** Debian's Chromium, installed where that can be done without asking; else findChromium's Error. */
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
