import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as v from 'valibot';
import { inPath, isExecutable } from './executables.ts';

/** What the search for a browser depends on. Tests pass their own. */
export interface Surroundings {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  canRun: (path: string) => boolean;
  /** Path of Playwright's own Chromium, if Playwright is installed. */
  playwrightPath: () => string | undefined;
}

/** `auto`: the GPU if there seems to be one, otherwise software. */
export const GPU_MODES = ['auto', 'software', 'hardware'] as const;
export type GpuMode = (typeof GPU_MODES)[number];

/** Environment variables that name the browser. The first one that is set is used. */
const VARIABLES = ['SLASHV1_CHROMIUM', 'CHROME_PATH'];

const COMMANDS = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'brave-browser',
];

const MAC_APPLICATIONS = [
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Chromium.app/Contents/MacOS/Chromium',
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

const WINDOWS_PROGRAMS = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];

const HOW_TO_INSTALL =
  'No Chromium was found. Install Chromium or Chrome (Debian: `sudo apt-get install chromium`; ' +
  'anywhere: `npx playwright install chromium`), or set SLASHV1_CHROMIUM to the path of a browser.';

/**
 * Path of a Chromium, Chrome or Edge.
 *
 * @throws Error that says how to install one
 */
export function findChromium(surroundings: Surroundings = machine()): string {
  const { env, canRun } = surroundings;
  const variable = VARIABLES.find((name) => env[name]);
  const named = variable && env[variable];
  if (named && !canRun(named))
    throw new Error(`${variable} is "${named}", which is not a program.`);
  const found = named || candidates(surroundings).find(canRun);
  if (!found) throw new Error(HOW_TO_INSTALL);
  return found;
}

function candidates({ env, platform, playwrightPath }: Surroundings): string[] {
  return [playwrightPath() ?? [], installed(env, platform)].flat();
}

function installed(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  switch (platform) {
    case 'darwin':
      return ['/Applications', join(env['HOME'] ?? '/', 'Applications')].flatMap((folder) =>
        MAC_APPLICATIONS.map((application) => join(folder, application)),
      );
    case 'win32':
      return ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].flatMap((variable) =>
        WINDOWS_PROGRAMS.map((program) => `${env[variable]}\\${program}`),
      );
    default:
      return COMMANDS.flatMap((command) => inPath(command, env));
  }
}

function machine(): Surroundings {
  return {
    env: process.env,
    platform: process.platform,
    canRun: isExecutable,
    playwrightPath: playwrightChromium,
  };
}

const playwrightSchema = v.object({
  chromium: v.custom<{ executablePath(): string }>(
    (value) => value instanceof Object && 'executablePath' in value,
  ),
});

/** The published package does not depend on Playwright, but its users may have it and its browser. */
function playwrightChromium(): string | undefined {
  try {
    const playwright: unknown = createRequire(import.meta.url)('playwright-core');
    return v.parse(playwrightSchema, playwright).chromium.executablePath();
  } catch {
    return undefined;
  }
}

/**
 * Command-line switches that enable WebGPU in a headless Chromium. Software mode runs on SwiftShader, on
 * Linux even without any GPU.
 */
export function webgpuFlags(mode: GpuMode = 'auto'): string[] {
  const software = mode === 'software' || (mode === 'auto' && !hasGpu());
  return [...(software ? SOFTWARE : hardware()), ...(isRoot() ? ['--no-sandbox'] : [])];
}

const SOFTWARE = [
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--enable-features=Vulkan',
  '--use-vulkan=swiftshader',
  '--disable-vulkan-surface',
];

/** On Linux, most drivers need a switch for WebGPU, and Vulkan has to work without a display. */
function hardware(): string[] {
  if (process.platform !== 'linux') return [];
  return [
    '--enable-unsafe-webgpu',
    '--ignore-gpu-blocklist',
    '--use-angle=vulkan',
    '--enable-features=Vulkan',
    '--disable-vulkan-surface',
  ];
}

/** A guess from device files on Linux. Other systems always have a GPU. */
export function hasGpu(): boolean {
  if (process.platform !== 'linux' || existsSync('/dev/nvidia0')) return true;
  return (
    existsSync('/dev/dri') && readdirSync('/dev/dri').some((name) => name.startsWith('renderD'))
  );
}

/** Chromium's sandbox does not work for root. */
function isRoot(): boolean {
  return process.getuid?.() === 0;
}
