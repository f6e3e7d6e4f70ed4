import { RawBrowser } from './raw-browser.ts';

/**
 * Nothing of its own on two cores, and pages in the background as quick as in front. No debugger is
 * attached to any worker and no network events are asked for: both cost one side more than the other.
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

/** A browser with an empty profile, which ends with this process at the latest. */
export async function withBrowser<T>(use: (browser: RawBrowser) => Promise<T>): Promise<T> {
  const browser = await RawBrowser.launch(FLAGS);
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

/** The call of a function of the page, as an expression. */
export function call(path: string, ...values: unknown[]): string {
  return `${path}(${values.map((value) => JSON.stringify(value)).join(', ')})`;
}
