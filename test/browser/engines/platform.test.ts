import { expect, test } from 'playwright/test';

test('this Chromium has WebGPU, at least in software', async ({ page }) => {
  // WebGPU and service workers need a secure context, and localhost is one.
  await page.route('http://localhost/', (route) => route.fulfill({ body: '<!doctype html>' }));
  await page.goto('http://localhost/');
  const found = await page.evaluate(async () => ({
    adapter: Boolean(await navigator.gpu.requestAdapter()),
    serviceWorker: 'serviceWorker' in navigator,
  }));
  expect(found).toEqual({ adapter: true, serviceWorker: true });
});
