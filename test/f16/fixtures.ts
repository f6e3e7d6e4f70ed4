import { test as base } from 'playwright/test';
import type {} from '../browser/site/page.ts';
import { withHold, type Hold } from '../browser/support/hold.ts';
import { withHalf } from '../browser/support/hub/halves.ts';
import { serveRepositories, type RepositoryHub } from '../browser/support/hub/repositories.ts';
import { withTestSite, type TestSite } from '../browser/support/site.ts';
import type { DrivenBrowser, Tab } from '../browsers/support/driver.ts';
import { launchFirefox } from '../browsers/support/firefox.ts';

export { expect } from 'playwright/test';

/** Models of the hub with the graphs of the site's tiny-embed and tiny-rerank, and the same in 16 bits. */
export const HALF_EMBEDDER = 'someone/embedder-ONNX';
export const HALF_RANKER = 'someone/ranker-ONNX';

const NO_F16 =
  'Skipped, nothing was tested: Firefox finds no GPU with the feature shader-f16. Without a GPU, ' +
  'Mesa has one in software (Debian: `sudo apt-get install mesa-vulkan-drivers`).';

/** Requests by which workers tell the site what they do. */
export const COMPUTED = { inHalf: '/computed-in-16-bits', onCpu: '/computed-on-the-cpu' };
export const ASKED_WHETHER_DONE = '/asked-whether-the-gpu-is-done';

/** Tells the site of the first empty list of work: with it, Firefox says at once that the GPU is done. */
const TELL_OF_EMPTY_WORK = `{
  const { submit } = GPUQueue.prototype;
  let isTold = false;
  GPUQueue.prototype.submit = function (work) {
    if (!isTold && work.length === 0) {
      isTold = true;
      void fetch('${ASKED_WHETHER_DONE}');
    }
    return submit.call(this, work);
  };
}\n`;

/** Tells the site of the first shader with numbers of 16 bits. */
const TELL_OF_SHADERS = `{
  const { createShaderModule } = GPUDevice.prototype;
  let isTold = false;
  GPUDevice.prototype.createShaderModule = function (descriptor) {
    if (!isTold && /enable +f16/.test(descriptor.code)) {
      isTold = true;
      void fetch('${COMPUTED.inHalf}');
    }
    return createShaderModule.call(this, descriptor);
  };
}\n`;

const SITE_PACKS = [
  'tiny-chat',
  'smollm2-135m',
  'tiny-embed',
  'tiny-embed-gguf',
  'tiny-rerank',
  'tiny-see',
];

interface TestFixtures {
  site: TestSite;
  hub: RepositoryHub;
  /** Control of the engines that pages of `site` start. */
  hold: Hold;
  /** A tab of the site, in a browser whose GPU computes in 16 bits; without such a GPU, the test is skipped. */
  tab: Tab;
}

export const test = base.extend<TestFixtures, { firefox: DrivenBrowser }>({
  firefox: [
    async ({}, use) => {
      const browser = await launchFirefox({ webgpu: true });
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  site: ({}, use) =>
    withTestSite(SITE_PACKS, (site) => {
      site.preludes['onnx-gpu.js'] = TELL_OF_SHADERS;
      for (const script of ['engine.js', 'llamacpp.js']) site.preludes[script] = TELL_OF_EMPTY_WORK;
      site.preludes['onnx.js'] = `void fetch('${COMPUTED.onCpu}');\n`;
      return use(site);
    }),
  hold: ({ site }, use) => withHold(site, use),
  hub: async ({}, use) => {
    const hub = await serveRepositories(
      new Map([
        [HALF_EMBEDDER, withHalf('tiny-embed')],
        [HALF_RANKER, withHalf('tiny-rerank')],
      ]),
    );
    await use(hub);
    await hub.close();
  },
  tab: async ({ firefox, site }, use, testInfo) => {
    const tab = await firefox.newTab();
    await tab.goto(site.url);
    const hasF16 = await tab.evaluate(async () => {
      const adapter = 'gpu' in navigator ? await navigator.gpu.requestAdapter() : null;
      return adapter?.features.has('shader-f16') ?? false;
    });
    if (!hasF16) process.stdout.write(`${NO_F16}\n`);
    testInfo.skip(!hasF16, NO_F16);
    await use(tab);
    await tab.close();
  },
});
