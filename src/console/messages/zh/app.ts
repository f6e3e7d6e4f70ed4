import type { Messages } from '../en/index.ts';

export const app: Messages['app'] = {
  pages: {
    chat: '对话',
    models: '模型',
    requests: '请求',
    keys: '密钥',
    playground: '演练场',
    device: '设备',
  },
  navigation: '页面',
  starting: '正在启动…',
  language: '语言',
  languageFailed: '无法加载该语言。请检查网络后重试。',
  lightTheme: '浅色主题',
  darkTheme: '深色主题',
  bridge: {
    serving: '此页面正在提供本地桥接。',
    servingLead: '本机上的程序通过 slashv1 serve 访问其 API。关闭此页面后，桥接即告结束。',
    ended: '桥接已结束。',
    endedLead: '可以关闭此页面了。',
  },
};

export const ui: Messages['ui'] = {
  copied: '已复制',
  notCopied: '浏览器不允许复制',
  close: '关闭',
  cancel: '取消',
  save: '保存',
  stop: '停止',
  toEnd: '转到末尾',
  bytes: (count) => `${count} B`,
  bytesOf: (part, whole) => `${part} / ${whole}`,
  perSecond: (amount) => `${amount}/秒`,
  seconds: (count) => `${count} 秒`,
  minutes: (count) => `${count} 分钟`,
  hours: (count) => `${count} 小时`,
};

export const fromCode: Messages['fromCode'] = {
  title: '在代码中使用',
  lead: '任何 OpenAI 客户端都可以使用此基础 URL 和密钥。',
  baseURL: '基础 URL',
  apiKey: 'API 密钥',
  keyLife: '此密钥在本标签页打开期间有效。',
  examples: '示例',
  copy: (name) => `复制${name}`,
  copyCode: '复制代码',
  openai: 'openai 包',
  openaiNote: '本标签页打开期间，可在本站的任何页面、框架或 worker 中使用。',
  fetchNote: '无需安装：粘贴到本标签页的开发者工具中即可。',
  ownSite: '自己的网站',
  ownSiteNote: 'slashv1 包可将同样的 API 放进自己的页面，并使用独立的密钥。',
  curlNote: '浏览器之外的程序需要桥接。它在 127.0.0.1 上提供页面的 API，并输出地址和密钥。',
};
