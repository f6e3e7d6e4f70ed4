import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findChromium } from '../../src/node/browser.ts';
import { SOURCES, type OtherBrowser } from './other-browsers.ts';
import { runCommand } from '../run-command.ts';

const APT = '/usr/bin/apt-get';

/** Finds a Chromium, or installs Debian's. @throws findChromium's Error */
export async function ensureChromium(): Promise<void> {
  const isNamed = Boolean(process.env['SLASHV1_CHROMIUM'] ?? process.env['CHROME_PATH']);
  await ensure(findChromium, ['chromium'], isNamed);
}

/** Finds a browser other than Chromium, or installs Debian's. @throws Error that says how to install it */
export async function ensureOther(name: OtherBrowser): Promise<void> {
  const { find, packages, isNamed } = SOURCES[name];
  await ensure(find, packages, isNamed());
}

/** Finds a Python that makes virtual environments, or installs Debian's. @throws Error that says what is missing */
export async function ensurePython(): Promise<void> {
  const find = () => {
    try {
      execFileSync('python3', ['-c', 'import ensurepip, venv'], { stdio: 'ignore' });
    } catch (cause) {
      const how = 'On Debian and Ubuntu, it is in the packages python3 and python3-venv.';
      throw new Error(`No python3 with the modules venv and ensurepip was found. ${how}`, {
        cause,
      });
    }
  };
  await ensure(find, ['python3', 'python3-venv'], false);
}

/**
 * Calls `find`. If it throws, the Debian packages are installed, provided that this process is root and no
 * browser is named in the environment.
 */
async function ensure(find: () => unknown, packages: string[], isNamed: boolean): Promise<void> {
  try {
    find();
    return;
  } catch (error) {
    const isRoot = process.getuid?.() === 0;
    if (!isRoot || isNamed || !existsSync(APT)) throw error;
  }
  const options = { env: { DEBIAN_FRONTEND: 'noninteractive' }, toStderr: true };
  await runCommand(APT, ['update'], options);
  await runCommand(APT, ['install', '-y', '--no-install-recommends', ...packages], options);
  find();
}
