import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';

/**
 * axe's violations in the page's present state: each rule with the elements that break it.
 *
 * @param part - CSS selector of the only part to check; default: the whole page
 */
export async function violationsOf(page: Page, part = 'html'): Promise<string[]> {
  // In its other mode, axe opens a tab each time to put the results of frames together. No page here has any.
  const axe = new AxeBuilder({ page }).include(part).setLegacyMode();
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
