import type { Messages } from '../en/index.ts';

export const app: Messages['app'] = {
  pages: {
    chat: 'チャット',
    models: 'モデル',
    requests: 'リクエスト',
    keys: 'キー',
    playground: '試す',
    device: 'デバイス',
  },
  navigation: 'ページ',
  starting: '起動しています…',
  language: '言語',
  languageFailed:
    'この言語を読み込めませんでした。ネットワークを確認して、もう一度お試しください。',
  lightTheme: 'ライトテーマ',
  darkTheme: 'ダークテーマ',
  bridge: {
    serving: 'このページはローカルブリッジとして動作しています。',
    servingLead:
      'このコンピューター上のプログラムは slashv1 serve を通じて API を利用します。このページを閉じるとブリッジも終了します。',
    ended: 'ブリッジは終了しました。',
    endedLead: 'このページは閉じてかまいません。',
  },
};

export const ui: Messages['ui'] = {
  copied: 'コピーしました',
  notCopied: 'ブラウザーがコピーを許可していません',
  close: '閉じる',
  cancel: 'キャンセル',
  save: '保存',
  stop: '停止',
  toEnd: '末尾へ移動',
  bytes: (count) => `${count} B`,
  bytesOf: (part, whole) => `${part} / ${whole}`,
  perSecond: (amount) => `${amount}/秒`,
  seconds: (count) => `${count} 秒`,
  minutes: (count) => `${count} 分`,
  hours: (count) => `${count} 時間`,
};

export const fromCode: Messages['fromCode'] = {
  title: 'コードから使う',
  lead: 'OpenAI のクライアントなら、このベース URL とキーで利用できます。',
  baseURL: 'ベース URL',
  apiKey: 'API キー',
  keyLife: 'このキーは、このタブを開いている間だけ有効です。',
  examples: '例',
  copy: (name) => `${name}をコピー`,
  copyCode: 'コードをコピー',
  openai: 'openai パッケージ',
  openaiNote: 'このタブが開いている間、このサイトのすべてのページ、フレーム、ワーカーで使えます。',
  fetchNote: 'インストールは不要です。このタブの開発者ツールに貼り付けてください。',
  ownSite: '自分のサイト',
  ownSiteNote:
    'slashv1 パッケージを使うと、同じ API を独自のキーとともに自分のページに組み込めます。',
  curlNote:
    'ブラウザー外のプログラムにはブリッジが必要です。ページの API を 127.0.0.1 で提供し、アドレスとキーを表示します。',
};
