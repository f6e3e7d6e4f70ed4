import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import type { Browser, BrowserName } from './browser.ts';

/**
 * What to do if WebGPU is missing, with the most promising step first.
 * Versions: https://github.com/gpuweb/gpuweb/wiki/Implementation-Status
 */
export function webgpuSteps(browser: Browser, hasWebgpu: boolean): string[] {
  return [...ownSteps(browser, hasWebgpu), messages.value.problem.webgpu.elsewhere];
}

function ownSteps(browser: Browser, hasWebgpu: boolean): string[] {
  const text = messages.value.problem.webgpu;
  if (browser.platform === 'ios') return [text.ios];
  switch (browser.name) {
    case 'chrome':
    case 'edge':
      return chromiumSteps(browser, hasWebgpu);
    case 'firefox':
      return firefoxSteps(browser);
    case 'safari':
      return [text.safari];
    case 'other':
      return [text.browser];
  }
}

function chromiumSteps({ name, platform }: Browser, hasWebgpu: boolean): string[] {
  const text = messages.value.problem.webgpu;
  const internal = name === 'edge' ? 'edge:' : 'chrome:';
  const steps = hasWebgpu ? [] : [update(name, platform === 'android' ? '121' : '113')];
  if (platform === 'android') return [...steps, text.android];
  const acceleration = fill(text.acceleration, { settings: `${internal}//settings/system` });
  const gpu = `${internal}//gpu`;
  return platform === 'linux'
    ? [...steps, linuxFlags(internal), acceleration, fill(text.check, { page: gpu })]
    : [...steps, acceleration, fill(text.driver, { page: gpu })];
}

/** On Linux, Chrome switches WebGPU off for drivers that it has not tested. */
function linuxFlags(internal: string): string {
  const flags = `${internal}//flags/`;
  return fill(messages.value.problem.webgpu.flags, {
    webgpu: `${flags}#enable-unsafe-webgpu`,
    vulkan: `${flags}#enable-vulkan`,
  });
}

function firefoxSteps({ platform }: Browser): string[] {
  if (platform === 'windows') return [update('firefox', '141')];
  const flag = messages.value.problem.webgpu.firefox;
  return platform === 'mac' ? [update('firefox', '147'), flag] : [flag];
}

function update(name: BrowserName, version: string): string {
  const label = { chrome: 'Chrome', edge: 'Edge', firefox: 'Firefox', safari: 'Safari', other: '' };
  return fill(messages.value.problem.webgpu.version, { browser: label[name], version });
}
