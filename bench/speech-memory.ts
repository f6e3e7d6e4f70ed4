import type { RawBrowser } from './raw-browser.ts';
import { withBrowser } from './browser.ts';
import { bothSides, type BySide, type Side } from './pairs.ts';
import { pageMemory } from './process-memory.ts';
import type { Launch } from './section.ts';
import { openSpeechPage, SIXTY, speak, speechStarters } from './speech-page.ts';

/**
 * The most memory, in bytes, that the page's process has used to speak the long text. Each side has a
 * browser of its own.
 *
 * @returns undefined on systems other than Linux, which do not report it
 */
export function measureSpeechMemory({
  origin,
  isSwapped,
}: Launch): Promise<BySide<number | undefined>> {
  const peakOf = (side: Side) => () => withBrowser((browser) => peakAfter(browser, origin, side));
  return bothSides({ v1: peakOf('v1'), direct: peakOf('direct') }, isSwapped);
}

async function peakAfter(
  browser: RawBrowser,
  origin: string,
  side: Side,
): Promise<number | undefined> {
  const page = await openSpeechPage(browser, origin);
  await speechStarters(page, origin)[side]();
  await speak(page, side, SIXTY);
  const peaks = [...(await pageMemory(browser)).values()].map(({ peak }) => peak);
  return peaks.length > 0 ? Math.max(...peaks) : undefined;
}
