import { difference } from '../browser/support/hub/halves.ts';
import { install, listed } from '../browser/support/models.ts';
import type { RepositoryHub } from '../browser/support/hub/repositories.ts';
import { rankings, rerank } from '../browser/support/searching.ts';
import type { TestSite } from '../browser/support/site.ts';
import type { Tab } from '../browsers/support/driver.ts';
import { begin } from '../browsers/support/fixtures.ts';
import { COMPUTED, expect, HALF_EMBEDDER, HALF_RANKER, test } from './fixtures.ts';

/** Starts the API and installs a model of the hub. This device has to choose the model's 16-bit graph. */
async function installHalf(tab: Tab, hub: RepositoryHub, model: string): Promise<void> {
  // The CPU may be what computes WebGPU here.
  await begin(tab, { hub: hub.url, speechDevice: 'webgpu' });
  expect(await tab.evaluate(() => window.v1.device)).toMatchObject({ shaderF16: true });
  await tab.evaluate((source) => window.v1.models.add(source), model);
  expect(await listed(tab, model)).toMatchObject({
    variants: [
      { engine: 'onnx', quantization: 'fp16', obstacles: [] },
      { engine: 'onnx', quantization: 'fp32', obstacles: [] },
    ],
  });
  await install(tab, model);
  expect(hub.requests).toContainEqual(expect.stringMatching(/model_fp16\.onnx$/));
  expect(hub.requests).not.toContainEqual(expect.stringMatching(/model\.onnx$/));
}

/** Fails if nothing was computed in 16 bits, or if the model was moved to the CPU after an error. */
async function expectHalfOnGpu(tab: Tab, site: TestSite, model: string): Promise<void> {
  expect(await listed(tab, model)).toMatchObject({ state: 'loaded', quantization: 'fp16' });
  await expect.poll(() => site.requests).toContain(COMPUTED.inHalf);
  expect(site.requests).not.toContain(COMPUTED.onCpu);
}

test('an embedder of 16 bits computes on the GPU what the one of 32 bits does', async ({
  tab,
  site,
  hub,
}) => {
  await installHalf(tab, hub, HALF_EMBEDDER);
  const found = await difference(tab, HALF_EMBEDDER);
  // 0.0007 with Mesa 22.3.6.
  expect(found).toBeLessThan(5e-3);
  // The difference shows that the 16-bit graph ran.
  expect(found).toBeGreaterThan(1e-6);
  await expectHalfOnGpu(tab, site, HALF_EMBEDDER);
});

test('a cross-encoder of 16 bits ranks on the GPU as the one of 32 bits does', async ({
  tab,
  site,
  hub,
}) => {
  await installHalf(tab, hub, HALF_RANKER);
  const differences: number[] = [];
  for (const { query, documents, right, scores } of rankings) {
    const { results } = await rerank(tab, { model: HALF_RANKER, query, documents });
    expect(results).toHaveLength(documents.length);
    expect(results[0]?.index).toBe(right);
    for (const { index, relevance_score: score } of results)
      differences.push(Math.abs(score - (scores[index] ?? Number.NaN)));
  }
  // 0.0018 with Mesa 22.3.6.
  expect(Math.max(...differences)).toBeLessThan(1e-2);
  await expectHalfOnGpu(tab, site, HALF_RANKER);
});
