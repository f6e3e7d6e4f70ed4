import type { Frame, Page } from 'playwright/test';

/**
 * Puts a frame into an open test page.
 *
 * @param global - what the frame's page defines when it is ready
 * @returns the frame when it is ready
 */
export async function openFrame(
  page: Page,
  attributes: Record<string, string>,
  global: 'begin' | 'connectParent',
): Promise<Frame> {
  const attached = page.waitForEvent('frameattached');
  await page.evaluate((given) => {
    const frame = document.createElement('iframe');
    for (const [name, value] of Object.entries(given)) frame.setAttribute(name, value);
    document.body.append(frame);
  }, attributes);
  const frame = await attached;
  await frame.waitForFunction((name) => name in window, global);
  return frame;
}
