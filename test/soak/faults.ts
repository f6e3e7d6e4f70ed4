import type { BrowserContext, Page } from 'playwright/test';
import { breakQueue, crashTab, killWorker } from '../browser/support/faults.ts';
import { expect, openStarted, type TestSite } from '../browser/support/fixtures.ts';
import { engineOf, workersOf } from '../browser/support/browser/tabs.ts';

/**
 * The GPU process does not crash here: after its third crash, browsers offer no adapter until they are
 * restarted.
 */
export const FAULTS = ['close', 'leave', 'crash', 'kill', 'throw', 'update'] as const;
export type Fault = (typeof FAULTS)[number];

/** Tabs in which the API runs. One of them hosts the engine. */
export class Tabs {
  readonly #profile: BrowserContext;
  readonly #site: TestSite;
  #tabs: Page[] = [];
  #builds = 0;

  constructor(profile: BrowserContext, site: TestSite) {
    this.#profile = profile;
    this.#site = site;
  }

  async open(): Promise<Page> {
    const page = await openStarted(this.#profile, this.#site.url);
    this.#tabs.push(page);
    return page;
  }

  /** The tab that hosts the engine. */
  async leader(): Promise<Page> {
    // If the last engine has ended, this request starts the next one.
    await this.#tabs[0]?.evaluate(() => window.v1.models.list());
    const hosts = () => this.#tabs.filter((tab) => workersOf(tab, 'engine.js').length > 0);
    await expect.poll(() => hosts().length, { timeout: 60_000 }).toBe(1);
    const [leader] = hosts();
    if (!leader) throw new Error('No tab has the engine.');
    return leader;
  }

  async strike(fault: Fault): Promise<void> {
    const leader = await this.leader();
    switch (fault) {
      case 'close':
        await this.#replace(leader, () => leader.close());
        break;
      case 'leave':
        await this.#replace(leader, () => leader.goto('about:blank'));
        break;
      case 'crash':
        await this.#replace(leader, () => crashTab(leader));
        break;
      case 'kill':
        await killWorker(engineOf(leader));
        break;
      case 'throw':
        await breakQueue(leader);
        break;
      case 'update':
        this.#site.builds['sw.js'] = `\nself.build = ${++this.#builds};`;
        await leader.evaluate(async () => {
          await (await navigator.serviceWorker.ready).update();
        });
        break;
    }
  }

  async #replace(leader: Page, end: () => Promise<unknown>): Promise<void> {
    this.#tabs = this.#tabs.filter((tab) => tab !== leader);
    await end();
    await leader.close();
    await this.open();
  }
}
