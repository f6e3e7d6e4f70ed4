import type { Messages } from '../en/index.ts';

export const problem: Messages['problem'] = {
  steps: 'Was hilft',
  reload: 'Seite neu laden',
  insecure: {
    title: 'Diese Adresse ist dem Browser nicht sicher genug',
    explanation:
      'Browser bieten Service Worker nur unter https:// und auf localhost an. Diese Seite wurde über einfaches http geladen.',
    local: (address) => `Auf dem Computer, der sie bereitstellt, \`${address}\` öffnen.`,
    secure:
      'Von einem anderen Gerät aus über `https://` öffnen: Jeder statische Host oder Tunnel mit Zertifikat genügt.',
  },
  storage: {
    title: 'Der Browser lässt diese Seite nichts speichern',
    explanation: 'Die Modelle und der Schlüssel dieser Seite liegen im Speicher des Browsers.',
    allow: 'Dieser Website erlauben, Daten und Cookies zu speichern.',
    free: 'Prüfen, ob auf dem Datenträger noch Platz ist.',
    frame:
      'Wenn eine andere Website diese Seite in einem Frame zeigt: die Seite in einem eigenen Tab öffnen.',
  },
  noWorker: {
    title: 'Dieser Browser lässt keinen Service Worker zu',
    explanation:
      'Die API dieser Seite läuft in einem Service Worker, den dieser Browser zurzeit nicht zulässt.',
    window:
      'Die Seite in einem normalen Fenster öffnen: In privaten Fenstern gibt es teils keinen Service Worker.',
    cookies:
      'Dieser Website erlauben, Daten zu speichern: Wer alle Cookies blockiert, blockiert auch Service Worker.',
    app: 'Wenn eine andere App diese Seite in ihrem Fenster zeigt: die Seite stattdessen im Browser öffnen.',
    lockdown: 'Wenn der Blockierungsmodus aktiv ist: für diese Website eine Ausnahme machen.',
  },
  workerFailed: {
    title: 'Der Service Worker ist nicht gestartet',
    explanation: 'Der Teil dieser Seite, der /v1 beantwortet, konnte nicht eingerichtet werden.',
    reload: 'Die Seite neu laden.',
    delete:
      'Wenn das nicht hilft: in den Einstellungen des Browsers die Daten dieser Website löschen und neu laden.',
    script:
      'Auf der eigenen Website: `sw.js` muss aus dem Ordner der Seite kommen, als JavaScript und ohne Weiterleitung.',
  },
  old: {
    title: 'Dieser Browser ist zu alt für die Modelle',
    explanation:
      'Die Modelle brauchen WebAssembly mit Vektoren (SIMD), das dieser Browser nicht hat.',
    update:
      'Den Browser aktualisieren: Chrome und Edge können es ab Version 91, Safari ab 16.4, Firefox ab 89.',
  },
  noGpu: {
    title: 'Kein Grafikprozessor für WebGPU',
    explanation:
      'Dieser Browser hat WebGPU, fand aber keinen Grafikprozessor, den er nutzen darf. Modelle, die ohne auskommen, lässt diese Seite nicht zu.',
  },
  noWebgpu: {
    title: 'Dieser Browser hat kein WebGPU',
    explanation:
      'Die Modelle dieser Seite laufen über WebGPU auf dem eigenen Grafikprozessor. Dieser Browser hat kein WebGPU.',
  },
  modelFailed: {
    title: 'Das Modell wurde nicht geladen',
    explanation:
      'Die Seite funktioniert, aber das Modell konnte nicht in den Arbeitsspeicher geladen werden.',
    tabs: 'Andere Tabs mit hohem Speicherverbrauch schließen und erneut versuchen.',
    disk: 'Prüfen, ob auf dem Datenträger noch Platz ist: Modelle liegen im Speicher dieses Browsers.',
  },
  option: {
    title: 'Diese Seite wurde mit einer ungültigen Option gestartet',
    explanation: 'Das ist ein Fehler der Seite, nicht des Browsers.',
    reload: 'Die Seite ohne den Teil ihrer Adresse neu laden, der mit `#` oder `?` beginnt.',
  },
  unexpected: {
    title: 'Die Seite konnte nicht starten',
    explanation: 'Ein unerwarteter Fehler ist aufgetreten.',
    reload: 'Die Seite neu laden.',
  },
  webgpu: {
    elsewhere:
      'Oder die Seite in einem anderen Browser mit WebGPU öffnen, ab diesen Versionen: Chrome oder Edge 113, Safari 26, Firefox 141 unter Windows, Firefox 147 auf Apple Silicon.',
    ios: 'Auf iOS oder iPadOS 26 aktualisieren: Ab dieser Version hat dort jeder Browser WebGPU.',
    safari: 'Auf Safari 26 aktualisieren, das mit macOS 26 kommt.',
    browser: 'Den Browser aktualisieren.',
    version: (browser, version) => `${browser} auf Version ${version} oder neuer aktualisieren.`,
    android: 'WebGPU braucht Android 12 oder neuer.',
    acceleration: (settings) =>
      `Unter \`${settings}\` die Grafikbeschleunigung einschalten und den Browser neu starten.`,
    driver: (page) => `Den Grafiktreiber aktualisieren und nachsehen, was \`${page}\` meldet.`,
    check: (page) => `Nachsehen, was \`${page}\` meldet.`,
    flags: (webgpu, vulkan) =>
      `\`${webgpu}\` öffnen und auf „Enabled“ stellen, ebenso \`${vulkan}\`, dann den Browser neu starten.`,
    firefox:
      '`about:config` öffnen, `dom.webgpu.enabled` auf true setzen und den Browser neu starten.',
  },
  cpu: {
    title: 'Läuft hier auf der CPU',
    emulated:
      'Die Modelle laufen auf der CPU dieses Geräts, weil der Grafikprozessor, den dieser Browser anbietet, von der CPU emuliert wird. Mit einem echten Grafikprozessor antworten sie schneller. So geht es:',
    missing:
      'Die Modelle laufen auf der CPU dieses Geräts, weil dieser Browser keinen Grafikprozessor anbietet. Mit einem Grafikprozessor antworten sie schneller. So geht es:',
  },
};
