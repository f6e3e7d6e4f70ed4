import type { Page } from 'playwright/test';
import { violationsOf } from './axe.ts';
import { expect } from '../fixtures.ts';

const WIDE = 1280;
const PHONE = 390;

/**
 * Expects that the page has no axe violations in either theme, fits a desk and a phone, and that buttons and links on
 * the phone are at least 44 pixels large, except marks of footnotes, which stand in a line. Afterwards, the page is wide and has the light theme.
 *
 * @param what - names the page in messages of failures
 */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  for (const width of [PHONE, WIDE]) {
    await page.setViewportSize({ width, height: 844 });
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const name = `${what}, ${colorScheme}, ${width} pixels`;
      expect(await violationsOf(page), name).toEqual([]);
    }
    const { across, small } = await page.evaluate(() => ({
      across: document.documentElement.scrollWidth,
      small: [...document.querySelectorAll('button:not(sup > *), summary, nav a')].flatMap(
        (target) => {
          const { width: wide, height } = target.getBoundingClientRect();
          return wide > 0 && (wide < 44 || height < 44) ? [target.outerHTML] : [];
        },
      ),
    }));
    expect(across, what).toBe(width);
    if (width === PHONE) expect(small, what).toEqual([]);
  }
}
