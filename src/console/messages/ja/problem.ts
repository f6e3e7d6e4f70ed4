import type { Messages } from '../en/index.ts';

export const problem: Messages['problem'] = {
  steps: '対処方法',
  reload: 'ページを再読み込み',
  insecure: {
    title: 'このアドレスは、ブラウザーにとって安全ではありません',
    explanation:
      'ブラウザーがサービスワーカーを提供するのは、https:// のアドレスと localhost だけです。このページは暗号化されていない http で読み込まれました。',
    local: (address) => `ページを配信しているコンピューターで \`${address}\` を開いてください。`,
    secure:
      '別のデバイスからは `https://` で開いてください。証明書のある静的ホストやトンネルで構いません。',
  },
  storage: {
    title: 'ブラウザーがこのページの保存を許可していません',
    explanation: 'このページのモデルとキーは、ブラウザーのストレージに保存されます。',
    allow: 'このサイトにデータと Cookie の保存を許可してください。',
    free: 'ディスクに空き容量があるか確認してください。',
    frame: '別のサイトのフレーム内に表示されている場合は、ページを単独のタブで開いてください。',
  },
  noWorker: {
    title: 'このブラウザーではサービスワーカーを使えません',
    explanation:
      'このページの API はサービスワーカーで動作しますが、このブラウザーでは現在許可されていません。',
    window:
      '通常のウィンドウでページを開いてください。プライベートウィンドウではサービスワーカーを使えないことがあります。',
    cookies:
      'このサイトにデータの保存を許可してください。すべての Cookie をブロックすると、サービスワーカーもブロックされます。',
    app: '別のアプリのウィンドウ内に表示されている場合は、ブラウザーで開いてください。',
    lockdown: 'ロックダウンモードが有効な場合は、このサイトを例外に追加してください。',
  },
  workerFailed: {
    title: 'サービスワーカーが起動しませんでした',
    explanation: '/v1 に応答する部分を準備できませんでした。',
    reload: 'ページを再読み込みしてください。',
    delete:
      '解決しない場合は、ブラウザーの設定でこのサイトのデータを削除してから再読み込みしてください。',
    script:
      '自分のサイトの場合：`sw.js` は、ページと同じフォルダーから、JavaScript として、リダイレクトなしで配信する必要があります。',
  },
  old: {
    title: 'このブラウザーは古すぎるため、モデルを実行できません',
    explanation:
      'モデルにはベクトル演算（SIMD）対応の WebAssembly が必要ですが、このブラウザーにはありません。',
    update:
      'ブラウザーを更新してください。Chrome と Edge は 91、Safari は 16.4、Firefox は 89 以降で対応しています。',
  },
  noGpu: {
    title: 'WebGPU で使える GPU がありません',
    explanation:
      'このブラウザーは WebGPU に対応していますが、使用できる GPU が見つかりませんでした。このページでは、GPU なしで動くモデルは許可されていません。',
  },
  noWebgpu: {
    title: 'このブラウザーは WebGPU に対応していません',
    explanation:
      'このページのモデルは WebGPU を通じて手元の GPU で動作しますが、このブラウザーは WebGPU に対応していません。',
  },
  modelFailed: {
    title: 'モデルを読み込めませんでした',
    explanation: 'ページは動作していますが、モデルをメモリに読み込めませんでした。',
    tabs: 'メモリを多く使うほかのタブを閉じて、もう一度お試しください。',
    disk: 'ディスクに空き容量があるか確認してください。モデルはこのブラウザーのストレージに保存されます。',
  },
  option: {
    title: '無効なオプションでページが起動されました',
    explanation: 'ブラウザーではなく、ページ側の誤りです。',
    reload: 'アドレスの `#` または `?` 以降を取り除いて、ページを再読み込みしてください。',
  },
  unexpected: {
    title: 'ページを起動できませんでした',
    explanation: '予期しないエラーが発生しました。',
    reload: 'ページを再読み込みしてください。',
  },
  webgpu: {
    elsewhere:
      'または、WebGPU に対応した別のブラウザーで開いてください。対応バージョンは、Chrome と Edge が 113 以降、Safari が 26 以降、Firefox が Windows で 141 以降、Apple シリコンで 147 以降です。',
    ios: 'iOS または iPadOS 26 に更新してください。このバージョン以降は、すべてのブラウザーが WebGPU に対応しています。',
    safari: 'macOS 26 に付属する Safari 26 に更新してください。',
    browser: 'ブラウザーを更新してください。',
    version: (browser, version) => `${browser} をバージョン ${version} 以降に更新してください。`,
    android: 'WebGPU には Android 12 以降が必要です。',
    acceleration: (settings) =>
      `\`${settings}\` でグラフィックアクセラレーションをオンにして、ブラウザーを再起動してください。`,
    driver: (page) => `グラフィックドライバーを更新し、\`${page}\` の表示内容を確認してください。`,
    check: (page) => `\`${page}\` の表示内容を確認してください。`,
    flags: (webgpu, vulkan) =>
      `\`${webgpu}\` を開いて「Enabled」に設定し、\`${vulkan}\` も同様に設定して、ブラウザーを再起動してください。`,
    firefox:
      '`about:config` を開き、`dom.webgpu.enabled` を true にして、ブラウザーを再起動してください。',
  },
  cpu: {
    title: 'CPU で動作しています',
    emulated:
      'このブラウザーの GPU は CPU によるエミュレーションのため、モデルはこのデバイスの CPU で動作します。本物の GPU を使うと、より速く回答できます。GPU を使うには：',
    missing:
      'このブラウザーでは GPU を使えないため、モデルはこのデバイスの CPU で動作します。GPU を使うと、より速く回答できます。GPU を使うには：',
  },
};
