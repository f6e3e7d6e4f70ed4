/** Why the page cannot serve, or is slow, and what to do. Text between backticks is code. */
export const problem = {
  steps: 'What to do',
  reload: 'Reload the page',
  insecure: {
    title: 'This address is not secure enough for the browser',
    explanation:
      'Browsers offer service workers only on https:// addresses and on localhost. This page was loaded over plain http.',
    local: (address: string) => `On the computer that serves it, open \`${address}\`.`,
    secure:
      'From another device, open it over `https://`: any static host or tunnel with a certificate will do.',
  },
  storage: {
    title: 'The browser lets this page store nothing',
    explanation: 'The models and the key of this page are kept in the browser’s storage.',
    allow: 'Allow this site to store data and cookies.',
    free: 'Check that there is free disk space.',
    frame: 'If another site shows this page in a frame, open the page in a tab of its own.',
  },
  noWorker: {
    title: 'This browser allows no service worker',
    explanation:
      'The API of this page runs in a service worker, which this browser does not allow right now.',
    window: 'Open the page in a normal window: private windows may have no service worker.',
    cookies: 'Allow this site to store data: blocking all cookies blocks service workers too.',
    app: 'If another app shows this page in its own window, open the page in the browser instead.',
    lockdown: 'If Lockdown Mode is on, make an exception for this site.',
  },
  workerFailed: {
    title: 'The service worker did not start',
    explanation: 'The part of this page that answers /v1 could not be set up.',
    reload: 'Reload the page.',
    delete: 'If that does not help, delete this site’s data in the browser’s settings and reload.',
    script:
      'If this is your site: `sw.js` must be served from the page’s own folder, as JavaScript and without a redirect.',
  },
  old: {
    title: 'This browser is too old for the models',
    explanation:
      'The models need WebAssembly with vectors (SIMD), which this browser does not have.',
    update:
      'Update the browser: Chrome and Edge have it from version 91 on, Safari from 16.4, Firefox from 89.',
  },
  noGpu: {
    title: 'No graphics processor for WebGPU',
    explanation:
      'This browser has WebGPU, but found no graphics processor that it may use. This page allows no models that run without one.',
  },
  noWebgpu: {
    title: 'This browser has no WebGPU',
    explanation:
      'The models of this page run on your own graphics processor, through WebGPU, which this browser does not have.',
  },
  modelFailed: {
    title: 'The model did not load',
    explanation: 'The page works, but the model could not be loaded into memory.',
    tabs: 'Close other tabs that use much memory and try again.',
    disk: 'Check that there is free disk space: models are kept in this browser’s storage.',
  },
  option: {
    title: 'This page was started with an invalid option',
    explanation: 'That is a mistake in the page, not in your browser.',
    reload: 'Reload the page without anything behind the `#` or `?` of its address.',
  },
  unexpected: {
    title: 'The page could not start',
    explanation: 'An unexpected error occurred.',
    reload: 'Reload the page.',
  },
  webgpu: {
    elsewhere:
      'Or open the page in another browser that has WebGPU, in one of these versions or newer: Chrome or Edge 113, Safari 26, Firefox 141 on Windows, Firefox 147 on Apple Silicon.',
    ios: 'Update to iOS or iPadOS 26: every browser there has WebGPU from that version on.',
    safari: 'Update to Safari 26, which comes with macOS 26.',
    browser: 'Update the browser.',
    version: (browser: string, version: string) =>
      `Update ${browser} to version ${version} or newer.`,
    android: 'WebGPU needs Android 12 or newer.',
    /** The parameters are addresses of the browser's own pages. */
    acceleration: (settings: string) =>
      `Switch on graphics acceleration in \`${settings}\` and restart the browser.`,
    driver: (page: string) => `Update the graphics driver, and check what \`${page}\` says.`,
    check: (page: string) => `Check what \`${page}\` says.`,
    flags: (webgpu: string, vulkan: string) =>
      `Open \`${webgpu}\`, set it to Enabled, do the same with \`${vulkan}\`, and restart the browser.`,
    firefox: 'Open `about:config`, set `dom.webgpu.enabled` to true, and restart the browser.',
  },
  cpu: {
    title: 'Runs on the CPU here',
    emulated:
      'The models run on this device’s CPU, because the graphics processor that this browser offers is emulated by the CPU. With a graphics processor they answer faster. To use one:',
    missing:
      'The models run on this device’s CPU, because this browser offers no graphics processor. With a graphics processor they answer faster. To use one:',
  },
};
