import type { Messages } from '../en/index.ts';

export const speech: Messages['speech'] = {
  title: '朗读',
  text: '文本',
  model: '模型',
  readyModels: '可直接使用',
  hubModels: '来自模型中心',
  voice: '声音',
  format: '格式',
  speed: '语速',
  waiting: '正在等待第一句…',
  making: '正在生成完整文件…',
  saved: '已保存。',
  saveFile: '保存文件',
  speak: '朗读',
  unplayable: '浏览器无法播放此内容。',
  unreachable: '无法访问 API。请重新加载页面。',
};

export const dictation: Messages['dictation'] = {
  start: '听写',
  end: '结束听写',
  asking: '正在等待麦克风…',
  recording: (time) => `正在录音：${time}`,
  writing: '正在转写…',
  silent: '没有检测到语音。',
  notAllowed: '浏览器不允许此页面使用麦克风。请在此网站的设置中允许，然后重试。',
  notFound: '未找到麦克风。',
  notReadable: '无法使用麦克风：可能正被其他程序占用。',
  noHttps: '此页面无法使用麦克风：需要 HTTPS。',
  failed: (reason) => `无法使用麦克风。${reason}`,
};
