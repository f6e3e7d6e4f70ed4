import type { Page } from 'playwright/test';
import type {} from '../../site/clients.ts';
import { test as base } from '../fixtures.ts';

export const WEATHER_QUESTION = 'What is the weather in Paris?';
export const WEATHER_ANSWER = 'The weather in Paris is sunny, 21 degrees.';

export const test = base.extend<object, { withClients: Page }>({
  /** A page in which the API runs, with all clients in `window.clients`. */
  withClients: [
    async ({ ready }, use) => {
      await ready.addScriptTag({ url: 'clients.js', type: 'module' });
      await ready.waitForFunction(() => 'clients' in window);
      await use(ready);
    },
    { scope: 'worker' },
  ],
});
