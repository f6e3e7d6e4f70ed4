import * as v from 'valibot';
import { checkSamePrompt, timedAnswerSchema, type TimedAnswer } from './answer.ts';
import { onBareHost } from './bare-host.ts';
import { call, withBrowser } from './browser.ts';
import { counted, measured, type Reading } from './figures.ts';
import { measurePairs, medianOfPairs, mediansBySide, type BySide } from './pairs.ts';
import type { RawBrowser, RawPage } from './raw-browser.ts';
import type { Launch } from './section.ts';
import { median } from './statistics.ts';

const MODEL = 'slashv1/tiny-see';
/** Pixels of the square that the model sees. */
const SIDE = 64;
const QUESTION = 'What is in the picture?';
const PAIRS = 8;

/** A photo of 12 megapixels beside the same one at the size that the model takes, both through `/v1`. */
export function photos({ origin, isSwapped, pairs: count = PAIRS }: Launch): Promise<Reading[]> {
  return withBrowser(async (browser) => {
    const page = await browser.open(`${origin}/slashv1/v1.html`);
    const options = { engines: ['llamacpp'], threads: 1 };
    await page.evaluate(call('bench.startV1', MODEL, options));
    const bytes = v.parse(v.number(), await page.evaluate(call('bench.takePhoto')));
    const see = async (how: string, ...side: number[]): Promise<TimedAnswer> =>
      v.parse(timedAnswerSchema, await page.evaluate(call(how, MODEL, QUESTION, ...side)));
    // `direct` is the photo at the size that the model takes.
    const asked = async (how: string) => {
      const sides = { v1: () => see(how), direct: () => see(how, SIDE) };
      await measurePairs(2, sides, isSwapped);
      const pairs = await measurePairs(count, sides, isSwapped);
      for (const { v1, direct } of pairs) checkSamePrompt(v1, direct);
      return pairs;
    };
    const pairs = await asked('bench.see');
    const inPage = await asked('bench.seeInPage');
    const bare = await openBare(browser, origin);
    const number = async (on: RawPage, how: string, ...values: unknown[]) =>
      v.parse(v.number(), await on.evaluate(call(how, ...values)));
    const send = {
      v1: () => number(bare, 'bench.sendBare', MODEL, QUESTION),
      direct: () => number(bare, 'bench.sendBare', MODEL, QUESTION, SIDE),
    };
    await measurePairs(2, send, isSwapped);
    const sent = await measurePairs(count, send, isSwapped);
    const decoded: number[] = [];
    for (let done = 0; done < count + 2; done++) {
      decoded.push(await number(page, 'bench.decodePhoto', SIDE));
    }
    const decodeMs = median(decoded.slice(2));
    const later = ({ v1, direct }: BySide<TimedAnswer>) => v1.firstMs - direct.firstMs;
    const added = medianOfPairs(pairs, later);
    const { v1, direct } = mediansBySide(pairs, ({ firstMs }) => firstMs);
    return [
      measured('see.photo_added_ms', added, 'beside the photo at the size that the model takes'),
      measured('see.photo_beside_decoding_ms', added - decodeMs, 'the same without decode_ms'),
      measured('see.photo_page_added_ms', medianOfPairs(inPage, later), 'through v1.fetch'),
      measured(
        'see.bare_body_ms',
        medianOfPairs(sent, (each) => each.v1 - each.direct),
      ),
      measured('see.decode_ms', decodeMs),
      measured('see.photo_ms', v1),
      measured('see.small_ms', direct),
      counted('see.photo_mb', bytes / 1e6),
    ];
  });
}

/** A page with the photo and a minimal service worker. */
async function openBare(browser: RawBrowser, origin: string): Promise<RawPage> {
  const page = await onBareHost(browser, origin);
  await page.evaluate(call('bench.takePhoto'));
  return page;
}
