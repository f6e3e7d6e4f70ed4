import * as v from 'valibot';
import { checkSamePrompt, timedAnswerSchema, type TimedAnswer } from './answer.ts';
import { call, withBrowser } from './browser.ts';
import { counted, measured, type Reading } from './figures.ts';
import { measurePairs, medianOfPairs, mediansBySide } from './pairs.ts';
import type { Launch } from './section.ts';

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
    const see = async (...side: number[]): Promise<TimedAnswer> =>
      v.parse(timedAnswerSchema, await page.evaluate(call('bench.see', MODEL, QUESTION, ...side)));
    // `direct`: what the engine alone takes.
    const sides = { v1: () => see(), direct: () => see(SIDE) };
    await measurePairs(2, sides, isSwapped);
    const pairs = await measurePairs(count, sides, isSwapped);
    for (const { v1, direct } of pairs) checkSamePrompt(v1, direct);
    const added = medianOfPairs(pairs, ({ v1, direct }) => v1.firstMs - direct.firstMs);
    const { v1, direct } = mediansBySide(pairs, ({ firstMs }) => firstMs);
    return [
      measured('see.photo_added_ms', added, 'beside the photo at the size that the model takes'),
      measured('see.photo_ms', v1),
      measured('see.small_ms', direct),
      counted('see.photo_mb', bytes / 1e6),
    ];
  });
}
