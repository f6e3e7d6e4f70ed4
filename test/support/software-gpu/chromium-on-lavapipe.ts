import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { findChromium } from '../../../src/node/browser.ts';
import type { Graphics } from '../../browser/support/browser/chromium.ts';
import { FOLDER, lavapipeVariables } from './lavapipe.ts';

/** Where Debian's command `chromium` finds the program. */
const DEBIAN = '/usr/lib/chromium';
const PROGRAMS = ['chromium', 'chrome'];
const SWIFTSHADER = 'libvk_swiftshader.so';

/** Switches with which only WebGPU uses lavapipe: Chromium's own graphics does not run on it. */
const FLAGS = [
  '--no-sandbox',
  '--enable-unsafe-webgpu',
  '--ignore-gpu-blocklist',
  '--enable-features=Vulkan',
  '--use-vulkan=native',
  '--use-angle=vulkan',
  '--disable-gpu-compositing',
  '--disable-gpu-rasterization',
  '--disable-accelerated-2d-canvas',
];

/**
 * Chromium with a GPU that computes in 16 bits, on the CPU. It prefers its own SwiftShader, which does not, so this is
 * a copy without that. The first adapter comes only seconds after the browser has started.
 *
 * @throws Error that says what is missing
 */
export function chromiumOnLavapipe(): Graphics {
  const env = { ...lavapipeVariables(), GPU_AS_SWIFTSHADER: '1' };
  return { path: withoutSwiftShader(), env, flags: FLAGS };
}

/** Copies the program, unless a copy of this version is there, which another browser may run. @returns its path */
function withoutSwiftShader(): string {
  const folder = [dirname(realpathSync(findChromium())), DEBIAN].find((each) =>
    existsSync(join(each, SWIFTSHADER)),
  );
  const program = folder && PROGRAMS.find((name) => existsSync(join(folder, name)));
  if (!program) throw new Error('The folder of Chromium was not found.');
  const { size, mtimeMs } = statSync(join(folder, program));
  const copy = join(FOLDER, `chromium-${size}-${mtimeMs}`);
  if (!existsSync(copy)) {
    const made = mkdtempSync(join(FOLDER, 'making-'));
    for (const name of readdirSync(folder)) {
      if (name !== program && name !== SWIFTSHADER)
        symlinkSync(join(folder, name), join(made, name));
    }
    // The program finds the other files beside itself.
    copyFileSync(join(folder, program), join(made, program));
    try {
      renameSync(made, copy);
    } catch (error) {
      // Meanwhile, a process beside this one has made it.
      if (!existsSync(copy)) throw error;
      rmSync(made, { recursive: true });
    }
  }
  return join(copy, program);
}
