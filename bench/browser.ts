import { webgpuFlags } from '../src/node/browser.ts';
import type { Graphics } from '../test/browser/support/browser/chromium.ts';
import { RawBrowser } from './raw-browser.ts';

/**
 * Switches that stop the browser's own background work, and let pages in the background run as fast as the page in
 * front.
 */
const FLAGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-sync',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-features=BackForwardCache',
];

/** A browser that finds no GPU, as on a device without one. */
export const WITHOUT_GPU: Graphics = {
  flags: webgpuFlags('software').filter((flag) => flag === '--no-sandbox'),
};

/**
 * Runs a browser with an empty profile. It ends with this process at the latest.
 *
 * @param graphics - default: a GPU that the CPU emulates
 */
export async function withBrowser<T>(
  use: (browser: RawBrowser) => Promise<T>,
  graphics?: Graphics,
): Promise<T> {
  const browser = await RawBrowser.launch(FLAGS, graphics);
  const onSignal = (signal: NodeJS.Signals) => {
    void browser.close().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143));
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    return await use(browser);
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    await browser.close();
  }
}

/** Expression that calls a function of the page with JSON values. */
export function call(path: string, ...values: unknown[]): string {
  return `${path}(${values.map((value) => JSON.stringify(value)).join(', ')})`;
}
