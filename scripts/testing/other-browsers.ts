import { spawnSync } from 'node:child_process';
import { inPath, isExecutable } from '../../src/node/executables.ts';

/** The browsers beside Chromium that the tests run in. */
export const OTHER_BROWSERS = ['firefox', 'webkit'] as const;
export type OtherBrowser = (typeof OTHER_BROWSERS)[number];

/** How a browser gets onto this machine. */
interface Source {
  /** @throws Error that says how to install it */
  find: () => unknown;
  /** Debian packages of the browser. */
  packages: string[];
  /** Whether the environment names the browser to use. */
  isNamed: () => boolean;
}

export const SOURCES: Record<OtherBrowser, Source> = {
  firefox: {
    find: findFirefox,
    packages: ['firefox-esr'],
    isNamed: () => Boolean(process.env['SLASHV1_FIREFOX']),
  },
  webkit: {
    find: findWebKit,
    packages: ['webkit2gtk-driver', 'xvfb', 'python3-gi', 'gir1.2-webkit2-4.1'],
    isNamed: () => false,
  },
};

/** Path of a Firefox. @throws Error that says how to install one */
export function findFirefox(): string {
  const named = process.env['SLASHV1_FIREFOX'];
  const usual = ['firefox-esr', 'firefox'].flatMap((name) => inPath(name));
  const candidates = named
    ? [named]
    : [...usual, '/Applications/Firefox.app/Contents/MacOS/firefox'];
  const found = candidates.find(isExecutable);
  if (found) return found;
  throw new Error(
    'No Firefox was found. Install it (Debian: `sudo apt-get install firefox-esr`), or set ' +
      'SLASHV1_FIREFOX to its path.',
  );
}

/** Paths of the programs that drive WebKitGTK. */
export interface WebKitPrograms {
  /** A display without a screen. */
  display: string;
  /** The driver of WebKitGTK's WebDriver protocol. */
  driver: string;
  /** A Python with WebKitGTK's bindings. */
  python: string;
}

/** @throws Error that says how to install them */
export function findWebKit(): WebKitPrograms {
  const [display, driver] = ['Xvfb', 'WebKitWebDriver'].map((name) =>
    inPath(name).find(isExecutable),
  );
  // Debian's bindings are for Debian's Python.
  const python = '/usr/bin/python3';
  if (display && driver && hasBindings(python)) return { display, driver, python };
  throw new Error(
    'WebKitGTK with its driver was not found. It exists for Linux only (Debian: ' +
      `\`sudo apt-get install ${SOURCES.webkit.packages.join(' ')}\`).`,
  );
}

function hasBindings(python: string): boolean {
  const script = 'import gi; gi.require_version("WebKit2", "4.1")';
  return spawnSync(python, ['-c', script]).status === 0;
}
