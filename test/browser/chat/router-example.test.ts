import { expect, test } from '../support/fixtures.ts';
import { serveExample } from '../support/sites/example-site.ts';

test('the example routes a message to a team, also without a network', async ({
  fresh,
  closing,
}) => {
  const site = closing(await serveExample('router', ['tiny-chat']));
  const page = await fresh.newPage();
  await page.goto(site.url);
  const status = page.locator('#status');
  await expect(status).toHaveText('Ready.');
  const route = async (message: string) => {
    await page.getByLabel('Your message').fill(message);
    await page.getByRole('button', { name: 'Route it' }).click();
    await expect(status).toHaveText(
      /^(For the team: (billing|technical|sales|account|other)|A person)/,
    );
    return page.locator('#teams li').allTextContents();
  };
  const teams = await route('I was charged twice.');
  expect(teams).toHaveLength(5);
  const percents = teams.map((line) => Number(/: (\d+) %$/.exec(line)?.[1]));
  expect(percents).toEqual(percents.toSorted((a, b) => b - a));
  expect(Math.abs(percents.reduce((a, b) => a + b) - 100)).toBeLessThanOrEqual(3);
  await expect(page.locator('#urgent')).toHaveText(/^Urgent: \d+ %$/);
  site.online = false;
  expect(await route('My password is gone, and nothing works any more.')).toHaveLength(5);
});
