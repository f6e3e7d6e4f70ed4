import { counted } from '../counted.ts';
import type { Messages } from '../en/index.ts';

export const chat: Messages['chat'] = {
  chats: 'チャット一覧',
  newChat: '新しいチャット',
  settings: 'このチャットの設定',
  dock: '質問',
  message: 'メッセージ',
  placeholder: '質問を入力',
  send: '送信 (Enter)',
  stop: '停止 (Esc)',
  you: 'あなた',
  answer: '回答',
  thinking: '思考',
  leaves: (name) => `質問はこのデバイスの外に送られ、${name} が回答します。`,
  servedBy: (name) => `このデバイスではなく ${name} が作成`,
  welcome: {
    title: 'このページは API です。',
    lead: 'OpenAI のプロトコルに対応し、モデルは手元のデバイスで動作します。入力した内容がこのデバイスの外に出ることはありません。',
    leadUpstreams: (names) =>
      `OpenAI のプロトコルに対応しています。手元のデバイスで動くモデルなら、入力した内容は外に出ません。別のサーバー（${names}）のモデルを選ぶと、このチャットはそのサーバーに送られます。`,
    suggestions: '質問の例',
    capital: 'フランスの首都はどこですか？',
    poem: '海についての詩を書いてください。',
    sky: '空はなぜ青いのですか？',
    copyURL: 'ベース URL をコピー',
  },
  list: {
    keep: 'チャットをこのデバイスに保存する',
    kept: 'このブラウザーだけに保存されます。',
    notKept: '保存されません。このタブを閉じると消えます。',
    cannotKeep:
      'チャットを保存できません。ブラウザーのストレージがいっぱいか、ブロックされています。',
    none: 'チャットはまだありません。',
    save: (title) => `${title} を Markdown で保存`,
    delete: (title) => `${title} を削除`,
    saveAll: 'すべて JSON で保存',
    deleteAll: 'すべて削除',
    reallyDelete: '本当にすべて削除しますか？',
  },
  turn: {
    copyAnswer: '回答をコピー',
    copyQuestion: '質問をコピー',
    editAnswer: '回答を編集',
    editQuestion: '質問を編集',
    deleteAnswer: '回答とそれ以降を削除',
    deleteQuestion: '質問とそれ以降を削除',
    deleteResults: '結果とそれ以降を削除',
    readAloud: '読み上げ',
    again: 'もう一度回答',
    branch: '新しいチャットで続ける',
    alternatives: '別の案',
    before: '前の案を表示',
    next: '次の案を表示',
    position: (at, all) => `${at} / ${all}`,
    text: 'テキスト',
  },
  notes: {
    stopped: '停止しました',
    edited: '編集済み',
    cutOff: '長さの上限で打ち切られました',
    blind: '画像を除いて質問しました：このモデルは画像に対応していません',
    shortened: (count) => `古いメッセージ ${count} 件を除いて質問しました`,
    speed: (rate) => `${rate} トークン/秒`,
    firstToken: (time) => `最初のトークンまで ${time}`,
    promptTokens: (count) => counted(count, { other: 'プロンプトトークン' }),
    cached: (prompt, cached) => `${prompt}（うちキャッシュ ${cached}）`,
    queue: (count) => counted(count, { other: '件のリクエストが先に待っています' }),
    reading: (percent) => `会話を読み込み中：${percent}`,
    isReading: '会話を読み込んでいます。',
    hasStopped: '停止しました。',
    end: '回答の終わりです。',
  },
  tools: {
    call: '関数の呼び出し：',
    isCalling: (name) => `関数 ${name} を呼び出します。`,
    result: '関数の結果：',
    results: '関数の結果',
    form: '関数の結果',
    lead: 'コンソールは関数を呼び出しません。関数の戻り値を入力してください。',
    resultOf: (name) => `${name} の結果`,
    send: '結果を送信',
    notList: 'ツールは JSON の配列で指定してください。',
    noName: '各ツールには function.name が必要です。',
  },
  options: {
    system: 'システムプロンプト',
    systemNote: '会話の前にモデルに伝える内容。',
    temperature: '温度 (temperature)',
    topP: 'Top p',
    maxTokens: '回答の最大トークン数',
    seed: 'シード',
    thinking: '思考に対応したモデルに思考させる',
    dropsOldest: 'チャットが長くなりすぎたら、古いやり取りを省く',
    tools: 'モデルが呼び出せる関数',
    toolsNote: 'API と同じ形式の、ツールの JSON 配列。関数の戻り値は手で入力します。空欄：なし。',
    schema: '回答の JSON スキーマ',
    schemaNote: '空欄：自由なテキスト。',
    notSchema: 'JSON スキーマはオブジェクトにしてください。',
  },
  export: {
    system: 'システム',
    servedBy: (name) => `回答（このデバイスではなく ${name} が作成）`,
  },
};

export const failure: Messages['failure'] = {
  failed: 'リクエストに失敗しました。',
  brokeOff: '回答が途中で途切れました。',
  retry: '再試行',
  dropOldest: '古いやり取りを省く',
  messageTooLong:
    '最後のメッセージだけで、ファイルとシステムプロンプトを含めると、このモデルが扱える長さを超えています。短くするか、コンテキストの長いモデルを選んでください。',
  chatTooLong:
    '最後のメッセージは収まりますが、チャット全体がこのモデルで扱える長さを超えています。',
  hints: {
    model_not_found: 'テキスト欄の下で別のモデルを選んでください。',
    out_of_memory: '小さいモデルを選ぶか、メモリを多く使うほかのタブを閉じてください。',
    load_crashed:
      '小さいモデルを選ぶか、メモリを多く使うほかのタブを閉じてから、もう一度質問してください。',
    webgpu_unavailable: 'テキスト欄の下で別のモデルを選んでください。',
    storage_full: '不要になったモデルを削除するか、ディスクの空き容量を増やしてください。',
    rate_limit_exceeded:
      'ほかのリクエストがこのモデルを待っています。しばらくしてからもう一度お試しください。',
    invalid_api_key:
      'このページのキーは無効になりました。ページを再読み込みすると新しいキーが発行されます。',
    connection:
      'ページがサービスワーカーを失った可能性があります。再試行しても解決しない場合は、ページを再読み込みしてください。',
  },
};

export const attachments: Messages['attachments'] = {
  attach: 'ファイルを添付',
  attached: '添付ファイル',
  remove: (name) => `${name} を外す`,
  blind: 'このモデルは画像に対応していません。画像を外すか、画像に対応したモデルを選んでください。',
  fits: (whole, context) =>
    `収まります：これらのファイルを含むチャットは、モデルが扱える ${context} トークンのうち ${whole} トークンです。`,
  tooLong: (whole, context) =>
    `長すぎます：これらのファイルを含むチャットは ${whole} トークンですが、モデルが扱えるのは ${context} トークンです。ファイルを外すか、コンテキストの長いモデルを選んでください。`,
  farTooLong: (context) =>
    `大幅に長すぎます：モデルが扱えるのは ${context} トークンだけです。ファイルを外すか、コンテキストの長いモデルを選んでください。`,
  tooLarge: (name) => `${name} は大きすぎます。`,
  noText: (name) => `${name} にはテキストがありません。`,
  unknownKind: (name) => `${name} は、画像でも PDF でも UTF-8 のテキストでもありません。`,
  notPicture: (name) => `${name} は、このブラウザーで読める画像ではありません。`,
  cannotScale: 'ブラウザーが画像を縮小できません。',
  noReader: 'PDF を読み取る部分を読み込めませんでした。',
  password: (name) => `${name} はパスワードで保護されています。`,
  notPdf: (name) => `${name} は読み取れる PDF ではありません。`,
};
