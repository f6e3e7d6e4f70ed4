import { hasGpu, webgpuFlags } from '../src/node/browser.ts';
import { messageOf } from '../src/core/text/message-of.ts';
import { chromiumOnLavapipe } from '../test/support/software-gpu/chromium-on-lavapipe.ts';
import type { Graphics } from '../test/browser/support/browser/chromium.ts';
import { openV1Page } from './both-engines.ts';
import {
  inBrowser,
  NotHereError,
  type Launch,
  type ModelLaunch,
  type ModelName,
} from './section.ts';

/** Switch for NVIDIA's GPUs on Linux: without it, Chromium hides that they compute in 16 bits. */
const NVIDIA = '--enable-dawn-features=vulkan_enable_f16_on_nvidia';

const HAS_F16 =
  "navigator.gpu.requestAdapter({ powerPreference: 'high-performance' })" +
  ".then((adapter) => adapter?.features.has('shader-f16'))";

/**
 * Measures in a fresh browser with a GPU that computes in 16 bits: the machine's, or Mesa's lavapipe.
 *
 * @throws NotHereError if the machine has no such GPU
 */
export function inGpuBrowser<T>(
  name: ModelName,
  launch: Launch,
  measure: (launch: ModelLaunch) => Promise<T>,
): Promise<T> {
  const graphics = hasGpu() ? { flags: [...webgpuFlags('hardware'), NVIDIA] } : emulated();
  const withGpu = async (each: ModelLaunch) => {
    await waitForGpu(each);
    return measure(each);
  };
  return inBrowser(name, launch, withGpu, graphics);
}

function emulated(): Graphics {
  try {
    return chromiumOnLavapipe();
  } catch (error) {
    throw new NotHereError(messageOf(error));
  }
}

async function waitForGpu(launch: ModelLaunch): Promise<void> {
  const page = await openV1Page(launch);
  try {
    await page.waitFor(HAS_F16);
  } catch {
    throw new NotHereError('The browser has no adapter with shader-f16.');
  } finally {
    await page.close();
  }
}
