import { expect, test } from 'playwright/test';

test('this Chromium has WebGPU, in software if need be', async ({ page }) => {
  // Answered here: WebGPU and service workers exist in secure contexts only, which localhost is.
  await page.route('http://localhost/', (route) => route.fulfill({ body: '<!doctype html>' }));
  await page.goto('http://localhost/');
  const found = await page.evaluate(async () => ({
    adapter: Boolean(await navigator.gpu.requestAdapter()),
    serviceWorker: 'serviceWorker' in navigator,
  }));
  expect(found).toEqual({ adapter: true, serviceWorker: true });
});
