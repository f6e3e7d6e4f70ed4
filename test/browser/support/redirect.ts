import type { BrowserContext } from 'playwright/test';

/** Has a browser find servers of this machine where a page asks for those of the internet: both as URLs of folders. */
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
