import type { BrowserContext, Page } from 'playwright/test';
import { expect, openPage, type TestSite } from '../browser/support/fixtures.ts';
import { engineOf } from '../browser/support/streamed.ts';

/** Not the GPU process's crash: after the third, browsers give no adapter until they are restarted. */
export const FAULTS = ['close', 'leave', 'crash', 'kill', 'throw', 'update'] as const;
export type Fault = (typeof FAULTS)[number];

/** The tabs in which the API runs. */
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
    const page = await openPage(this.#profile, this.#site.url);
    await page.evaluate(() => window.begin());
    this.#tabs.push(page);
    return page;
  }

  /** The one with the engine. */
  async leader(): Promise<Page> {
    // Where the last engine has ended, the next begins when somebody asks.
    await this.#tabs[0]?.evaluate(() => window.v1.models.list());
    const hosts = () => this.#tabs.filter((tab) => tab.workers().some(isEngine));
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
        await this.#replace(leader, async () => {
          const crashed = new Promise((resolve) => leader.once('crash', resolve));
          void leader.goto('chrome://crash').catch(() => undefined);
          await crashed;
        });
        break;
      case 'kill':
        await engineOf(leader).evaluate(() => self.close());
        break;
      case 'throw':
        await engineOf(leader).evaluate(() => {
          GPUQueue.prototype.submit = () => {
            throw new Error('The queue is broken.');
          };
        });
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

function isEngine(worker: { url(): string }): boolean {
  return worker.url().endsWith('/engine.js');
}
