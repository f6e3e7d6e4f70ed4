import type { Messages } from '../en/index.ts';

export const problem: Messages['problem'] = {
  steps: '解决办法',
  reload: '重新加载页面',
  insecure: {
    title: '对浏览器而言，此地址不够安全',
    explanation:
      '浏览器仅在 https:// 地址和 localhost 上提供 Service Worker。此页面是通过普通 http 加载的。',
    local: (address) => `在提供此页面的电脑上打开 \`${address}\`。`,
    secure: '在其他设备上，请通过 `https://` 打开：任何带证书的静态托管或隧道都可以。',
  },
  storage: {
    title: '浏览器不允许此页面存储数据',
    explanation: '此页面的模型和密钥保存在浏览器的存储中。',
    allow: '允许此网站存储数据和 Cookie。',
    free: '检查磁盘是否还有可用空间。',
    frame: '如果此页面显示在其他网站的框架中，请在单独的标签页中打开。',
  },
  noWorker: {
    title: '此浏览器不允许 Service Worker',
    explanation: '此页面的 API 在 Service Worker 中运行，而此浏览器目前不允许。',
    window: '在普通窗口中打开此页面：隐私窗口可能没有 Service Worker。',
    cookies: '允许此网站存储数据：阻止所有 Cookie 也会阻止 Service Worker。',
    app: '如果其他应用在其窗口中显示此页面，请改用浏览器打开。',
    lockdown: '如果已开启锁定模式，请为此网站设置例外。',
  },
  workerFailed: {
    title: 'Service Worker 未能启动',
    explanation: '此页面中响应 /v1 的部分无法完成设置。',
    reload: '重新加载页面。',
    delete: '如果无效，请在浏览器设置中删除此网站的数据，然后重新加载。',
    script:
      '如果这是您自己的网站：`sw.js` 必须从页面所在的文件夹以 JavaScript 形式提供，且不能重定向。',
  },
  old: {
    title: '此浏览器版本过旧，无法运行模型',
    explanation: '模型需要支持向量（SIMD）的 WebAssembly，而此浏览器不支持。',
    update: '更新浏览器：Chrome 和 Edge 自 91 版、Safari 自 16.4 版、Firefox 自 89 版起支持。',
  },
  noGpu: {
    title: '没有可供 WebGPU 使用的图形处理器',
    explanation:
      '此浏览器支持 WebGPU，但未找到可用的图形处理器。此页面不允许使用无需图形处理器的模型。',
  },
  noWebgpu: {
    title: '此浏览器不支持 WebGPU',
    explanation: '此页面的模型通过 WebGPU 在本机的图形处理器上运行，而此浏览器不支持 WebGPU。',
  },
  modelFailed: {
    title: '模型未能加载',
    explanation: '页面可以使用，但模型无法加载到内存中。',
    tabs: '关闭其他占用大量内存的标签页，然后重试。',
    disk: '检查磁盘是否还有可用空间：模型保存在此浏览器的存储中。',
  },
  option: {
    title: '此页面使用了无效的启动选项',
    explanation: '这是页面的错误，与浏览器无关。',
    reload: '去掉地址中 `#` 或 `?` 及其后的内容，重新加载页面。',
  },
  unexpected: {
    title: '页面无法启动',
    explanation: '发生了意外错误。',
    reload: '重新加载页面。',
  },
  webgpu: {
    elsewhere:
      '或者在其他支持 WebGPU 的浏览器中打开此页面，版本不低于：Chrome 或 Edge 113、Safari 26、Windows 上的 Firefox 141、Apple 芯片上的 Firefox 147。',
    ios: '更新到 iOS 或 iPadOS 26：自该版本起，所有浏览器都支持 WebGPU。',
    safari: '更新到 macOS 26 自带的 Safari 26。',
    browser: '更新浏览器。',
    version: (browser, version) => `将 ${browser} 更新到 ${version} 或更高版本。`,
    android: 'WebGPU 需要 Android 12 或更高版本。',
    acceleration: (settings) => `在 \`${settings}\` 中开启图形加速，然后重启浏览器。`,
    driver: (page) => `更新显卡驱动，并查看 \`${page}\` 的内容。`,
    check: (page) => `查看 \`${page}\` 的内容。`,
    flags: (webgpu, vulkan) =>
      `打开 \`${webgpu}\` 并设为“Enabled”，对 \`${vulkan}\` 也如此设置，然后重启浏览器。`,
    firefox: '打开 `about:config`，将 `dom.webgpu.enabled` 设为 true，然后重启浏览器。',
  },
  cpu: {
    title: '在此设备上使用 CPU 运行',
    emulated:
      '模型在此设备的 CPU 上运行，因为此浏览器提供的图形处理器由 CPU 模拟。使用真正的图形处理器，回答会更快。方法如下：',
    missing:
      '模型在此设备的 CPU 上运行，因为此浏览器没有提供图形处理器。使用图形处理器，回答会更快。方法如下：',
  },
};
