import type { BrowserContext } from 'playwright/test';

/**
 * Redirects a browser from folders on the internet to servers on this machine.
 *
 * @param servers - URL of a folder → URL of the folder that is asked instead
 */
export async function redirect(
  profile: BrowserContext,
  servers: Record<string, string>,
): Promise<void> {
  for (const [from, to] of Object.entries(servers)) {
    await profile.route(`${from}**`, (route) => {
      const [path = ''] = route.request().url().split(from).slice(1);
      const headers = { location: to + path, 'access-control-allow-origin': '*' };
      return route.fulfill({ status: 302, headers });
    });
  }
}
