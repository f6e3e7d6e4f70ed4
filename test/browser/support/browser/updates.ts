import type { Page } from 'playwright/test';
import type { TestSite } from '../site.ts';

declare global {
  interface Window {
    /** For each change of the service worker, whether an answer was being sent. */
    changes: boolean[];
    /** When each of them came, milliseconds on the page's clock. */
    changedAt: number[];
    stages: string[];
  }
}

/** Publishes another build of the service worker, which this page then finds. */
export async function update(page: Page, site: TestSite, build: string, more = ''): Promise<void> {
  site.builds['sw.js'] = `\nself.build = '${build}';${more}`;
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
  });
}

/** States of the service workers in this page's registration. */
export function states(page: Page) {
  return page.evaluate(async () => {
    const { active, waiting } = await navigator.serviceWorker.ready;
    return { active: active?.state, waiting: waiting?.state };
  });
}

export async function noteChanges(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.changes = [];
    window.changedAt = [];
    navigator.serviceWorker.addEventListener('controllerchange', () => {
      window.changes.push('streamed' in window && !window.streamed.ended);
      window.changedAt.push(Date.now());
    });
    window.stages = [];
    window.v1.onProgress(({ stage }) => window.stages.push(stage));
  });
}

export function changesOf(page: Page): Promise<boolean[]> {
  return page.evaluate(() => window.changes);
}
