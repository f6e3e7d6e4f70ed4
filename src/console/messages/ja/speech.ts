import type { Messages } from '../en/index.ts';

export const speech: Messages['speech'] = {
  title: '読み上げ',
  text: 'テキスト',
  model: 'モデル',
  readyModels: 'すぐに使えるモデル',
  hubModels: 'モデルハブから',
  voice: '声',
  format: '形式',
  speed: '速度',
  waiting: '最初の文を待っています…',
  making: 'ファイル全体を作成しています…',
  saved: '保存しました。',
  saveFile: 'ファイルを保存',
  speak: '読み上げる',
  unplayable: 'このブラウザーでは再生できません。',
  unreachable: 'API に接続できません。ページを再読み込みしてください。',
};

export const dictation: Messages['dictation'] = {
  start: '音声入力',
  end: '音声入力を終了',
  asking: 'マイクを待っています…',
  recording: (time) => `録音中：${time}`,
  writing: '音声を文字に起こしています…',
  silent: '音声が検出されませんでした。',
  notAllowed:
    'ブラウザーがこのページのマイク使用を許可していません。サイトの設定で許可して、もう一度お試しください。',
  notFound: 'マイクが見つかりません。',
  notReadable: 'マイクを使えません。別のプログラムが使用している可能性があります。',
  noHttps: 'このページではマイクを使えません。HTTPS が必要です。',
  failed: (reason) => `マイクを使えません。${reason}`,
};
