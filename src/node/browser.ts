import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
  'brave-browser',
];

/** Where installers put it outside PATH. */
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/snap/bin/chromium',
];

const HOW_TO_INSTALL =
  'No Chromium found. Install it (Debian: `sudo apt-get install chromium`; anywhere: ' +
  '`npx playwright install chromium`), or name one in SLASHV1_CHROMIUM.';

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function inPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** The browser that the environment names; an Error if it is not there. */
function named(): string | undefined {
  for (const variable of ['SLASHV1_CHROMIUM', 'CHROME_PATH']) {
    const value = process.env[variable];
    if (!value) continue;
    const path = isAbsolute(value) || existsSync(value) ? value : inPath(value);
    if (path && isExecutable(path)) return path;
    throw new Error(`${variable} is "${value}", which is no program.`);
  }
  return undefined;
}

/** Path of a Chromium or a browser made of it; throws an Error that says how to get one. */
export function findChromium(): string {
  const found = named() ?? [...NAMES.map(inPath), ...PLACES.filter(isExecutable)].find(Boolean);
  if (!found) throw new Error(HOW_TO_INSTALL);
  return found;
}

/** Flags with which Chromium offers WebGPU headless; `software`: on the CPU, where there is no GPU. */
export function webgpuFlags({ software }: { software: boolean }): string[] {
  const common = ['--enable-unsafe-webgpu', '--enable-features=Vulkan', '--disable-vulkan-surface'];
  const cpu = ['--use-webgpu-adapter=swiftshader', '--use-vulkan=swiftshader'];
  return software ? [...common, ...cpu] : common;
}
