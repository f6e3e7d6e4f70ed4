import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FAULTS } from '../browser/support/broken-file.ts';
import { say } from '../browser/support/chat.ts';
import { listed, unload } from '../browser/support/models.ts';
import { CAPITAL, countTo, PARIS, user } from '../browser/support/prompts.ts';
import { startStream, untilEnded } from '../browser/support/streamed.ts';
import { LIBRARY_FOLDER, TINY } from '../browser/support/site.ts';
import { begin } from '../browsers/support/fixtures.ts';
import type { StartOptions } from '../../src/index.ts';
import { expect, test } from './fixtures.ts';
import { askHeldModel } from './held-model.ts';

test.describe.configure({ timeout: 600_000 });

const ON_GPU: StartOptions = { engines: ['llamacpp'], llamacppDevice: 'webgpu' };
const COUNT = { messages: [user('Count to 12.')], temperature: 0 };
const COUNTED = countTo(12);

/** Lets pages destroy the devices of llama.cpp. */
const LOSES_GPU = `{
  const { requestDevice } = GPUAdapter.prototype;
  const loss = new BroadcastChannel('lose-gpu');
  GPUAdapter.prototype.requestDevice = async function (descriptor) {
    const device = await requestDevice.call(this, descriptor);
    loss.addEventListener('message', () => device.destroy());
    return device;
  };
}\n`;

/** Makes of all results the same number. */
const COMPUTES_ANYTHING = `{
  const { getMappedRange } = GPUBuffer.prototype;
  GPUBuffer.prototype.getMappedRange = function (...range) {
    const bytes = getMappedRange.apply(this, range);
    new Float32Array(bytes, 0, bytes.byteLength >> 2).fill(0.5);
    return bytes;
  };
}\n`;

/** Reads of the GPU give no numbers as soon as a page says so. */
const LOSES_NUMBERS = `{
  const { getMappedRange } = GPUBuffer.prototype;
  let isBroken = false;
  new BroadcastChannel('lose-gpu').addEventListener('message', () => (isBroken = true));
  GPUBuffer.prototype.getMappedRange = function (...range) {
    const bytes = getMappedRange.apply(this, range);
    if (isBroken) new Float32Array(bytes, 0, bytes.byteLength >> 2).fill(NaN);
    return bytes;
  };
}\n`;

function loseGpu(): void {
  new BroadcastChannel('lose-gpu').postMessage('now');
}

test('an answer continues when the GPU is lost: on the GPU the first time, then on the CPU', async ({
  tab,
  site,
  hold,
}) => {
  site.preludes['llamacpp.js'] += LOSES_GPU;
  await begin(tab, { ...ON_GPU, model: TINY });
  for (const losses of [1, 2]) {
    await hold.at({ tokens: 8 });
    await startStream(tab, COUNT);
    for (let loss = 0; loss < losses; loss++) {
      await hold.untilHeld();
      await tab.evaluate(loseGpu);
      await hold.at({ tokens: 4 });
    }
    await hold.release();
    expect(await untilEnded(tab)).toMatchObject({ text: COUNTED, done: true, error: null });
    const device = losses === 1 ? 'webgpu' : 'wasm';
    expect(await listed(tab, TINY)).toMatchObject({ state: 'loaded', device });
  }
  expect(site.requests).toContain('/llamacpp.wasm');
  expect(await listed(tab, TINY)).toMatchObject({ cpuReason: { code: 'webgpu-failed' } });
});

test('a GPU that is lost while its model is downloaded computes it afterwards', async ({
  tab,
  site,
}) => {
  site.preludes['llamacpp.js'] += LOSES_GPU;
  const { model, ask, early } = await askHeldModel(tab, site, ON_GPU);
  await tab.evaluate(loseGpu);
  model.sendRest();
  const text = await early;
  expect(await listed(tab, model.id)).toMatchObject({ state: 'loaded', device: 'webgpu' });
  await unload(tab, model.id);
  expect(await ask()).toBe(text);
  await model.close();
});

test('an answer continues on the CPU when the GPU computes no numbers any more', async ({
  tab,
  site,
  hold,
}) => {
  site.preludes['llamacpp.js'] += LOSES_NUMBERS;
  await begin(tab, { ...ON_GPU, model: TINY });
  await hold.at({ tokens: 8 });
  await startStream(tab, COUNT);
  await hold.untilHeld();
  await tab.evaluate(loseGpu);
  await hold.release();
  expect(await untilEnded(tab)).toMatchObject({ text: COUNTED, done: true, error: null });
  const message = 'The GPU computed no numbers.';
  expect(await listed(tab, TINY)).toMatchObject({ device: 'wasm', cpuReason: { message } });
});

test('a GPU that computes wrong products is not used, and the device says so', async ({
  tab,
  site,
}) => {
  site.preludes['llamacpp.js'] = COMPUTES_ANYTHING;
  await begin(tab, { ...ON_GPU, model: TINY });
  expect(await say(tab, CAPITAL)).toBe(PARIS);
  expect(await listed(tab, TINY)).toMatchObject({
    state: 'loaded',
    device: 'wasm',
    cpuReason: { code: 'webgpu-failed' },
  });
  const { reason } = await tab.evaluate(() => window.v1.device);
  expect(reason).toContain(`The CPU computes '${TINY}', because the GPU has failed: `);
  expect(reason).toContain('wrong products of F32 weights');
  await tab.reload();
  await begin(tab, { ...ON_GPU, model: TINY });
  expect(await say(tab, CAPITAL)).toBe(PARIS);
});

for (const file of ['llamacpp-gpu.js', 'llamacpp-gpu.wasm']) {
  for (const what of ['the status 404', 'half of the file'] as const) {
    const [fault, message] = FAULTS[what];
    test(`the CPU answers, and says why, if the server sends ${what} for ${file}; the next engine tries again`, async ({
      tab,
      site,
    }) => {
      const type = file.endsWith('.js') ? 'text/javascript' : 'application/wasm';
      const send = fault(readFileSync(join(LIBRARY_FOLDER, file)), type);
      site.intercept = ({ url = '' }, response) => {
        const isBroken = url.replace(/\?.*/, '') === `/${file}`;
        if (isBroken) send(response);
        return isBroken;
      };
      await begin(tab, { ...ON_GPU, model: TINY });
      expect(await say(tab, CAPITAL)).toBe(PARIS);
      const { device, cpuReason } = (await listed(tab, TINY)) ?? {};
      expect(device).toBe('wasm');
      expect(cpuReason).toMatchObject({ code: 'webgpu-failed' });
      expect(cpuReason?.message).toContain(file);
      expect(cpuReason?.message).toMatch(message);
      site.intercept = undefined;
      await tab.goto(site.url);
      await begin(tab, { ...ON_GPU, model: TINY });
      expect(await say(tab, CAPITAL)).toBe(PARIS);
      expect(await listed(tab, TINY)).toMatchObject({ device: 'webgpu' });
    });
  }
}

test('a GPU that the CPU emulates is used only if the site says so', async ({ tab, site }) => {
  await begin(tab, { engines: ['llamacpp'], model: TINY });
  expect(await tab.evaluate(() => window.v1.device)).toMatchObject({ llamacpp: 'wasm' });
  expect(await listed(tab, TINY)).toMatchObject({
    device: 'wasm',
    cpuReason: { code: 'software', message: 'The CPU computes WebGPU here.' },
  });
  expect(site.requests).not.toContain('/llamacpp-gpu.wasm');
});
