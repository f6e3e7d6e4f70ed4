import type { Browser, BrowserName } from './browser.ts';

/**
 * What to do if WebGPU is missing, with the most promising step first.
 * Versions: https://github.com/gpuweb/gpuweb/wiki/Implementation-Status
 */
export function webgpuSteps(browser: Browser, hasWebgpu: boolean): string[] {
  return [...ownSteps(browser, hasWebgpu), ELSEWHERE];
}

const ELSEWHERE =
  'Or open the page in another browser that has WebGPU, in one of these versions or newer: Chrome or Edge 113, Safari 26, Firefox 141 on Windows, Firefox 147 on Apple Silicon.';

function ownSteps(browser: Browser, hasWebgpu: boolean): string[] {
  if (browser.platform === 'ios') {
    return ['Update to iOS or iPadOS 26: every browser there has WebGPU from that version on.'];
  }
  switch (browser.name) {
    case 'chrome':
    case 'edge':
      return chromiumSteps(browser, hasWebgpu);
    case 'firefox':
      return firefoxSteps(browser);
    case 'safari':
      return ['Update to Safari 26, which comes with macOS 26.'];
    case 'other':
      return ['Update the browser.'];
  }
}

function chromiumSteps({ name, platform }: Browser, hasWebgpu: boolean): string[] {
  const internal = name === 'edge' ? 'edge:' : 'chrome:';
  const steps = hasWebgpu ? [] : [update(name, platform === 'android' ? '121' : '113')];
  if (platform === 'android') return [...steps, 'WebGPU needs Android 12 or newer.'];
  const acceleration = `Switch on graphics acceleration in \`${internal}//settings/system\` and restart the browser.`;
  return platform === 'linux'
    ? [...steps, ...linuxFlags(internal), acceleration, `Check what \`${internal}//gpu\` says.`]
    : [
        ...steps,
        acceleration,
        `Update the graphics driver, and check what \`${internal}//gpu\` says.`,
      ];
}

/** On Linux, Chrome switches WebGPU off for drivers that it has not tested. */
function linuxFlags(internal: string): string[] {
  return [
    `Open \`${internal}//flags/#enable-unsafe-webgpu\`, set it to Enabled, do the same with \`${internal}//flags/#enable-vulkan\`, and restart the browser.`,
  ];
}

function firefoxSteps({ platform }: Browser): string[] {
  if (platform === 'windows') return [update('firefox', '141')];
  const flag = 'Open `about:config`, set `dom.webgpu.enabled` to true, and restart the browser.';
  return platform === 'mac' ? [update('firefox', '147'), flag] : [flag];
}

function update(name: BrowserName, version: string): string {
  const label = { chrome: 'Chrome', edge: 'Edge', firefox: 'Firefox', safari: 'Safari', other: '' };
  return `Update ${label[name]} to version ${version} or newer.`;
}
