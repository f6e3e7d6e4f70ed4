import type { Messages } from '../en/index.ts';

export const app: Messages['app'] = {
  pages: {
    chat: 'Chat',
    models: 'Modelle',
    requests: 'Anfragen',
    keys: 'Schlüssel',
    playground: 'Playground',
    device: 'Gerät',
  },
  navigation: 'Seiten',
  starting: 'Startet …',
  language: 'Sprache',
  languageFailed:
    'Diese Sprache konnte nicht geladen werden. Bitte das Netzwerk prüfen und erneut versuchen.',
  lightTheme: 'Helles Design',
  darkTheme: 'Dunkles Design',
  bridge: {
    serving: 'Diese Seite stellt eine lokale Brücke bereit.',
    servingLead:
      'Programme auf diesem Computer erreichen ihre API über slashv1 serve. Die Brücke endet, sobald diese Seite geschlossen wird.',
    ended: 'Die Brücke wurde beendet.',
    endedLead: 'Diese Seite kann geschlossen werden.',
  },
};

export const ui: Messages['ui'] = {
  copied: 'Kopiert',
  notCopied: 'Der Browser erlaubt das Kopieren nicht',
  close: 'Schließen',
  cancel: 'Abbrechen',
  save: 'Speichern',
  stop: 'Stopp',
  toEnd: 'Zum Ende',
  bytes: (count) => `${count} B`,
  bytesOf: (part, whole) => `${part} von ${whole}`,
  perSecond: (amount) => `${amount}/s`,
  seconds: (count) => `${count} s`,
  minutes: (count) => `${count} min`,
  hours: (count) => `${count} h`,
};

export const fromCode: Messages['fromCode'] = {
  title: 'Im Code verwenden',
  lead: 'Jeder OpenAI-Client funktioniert mit dieser Basis-URL und diesem Schlüssel.',
  baseURL: 'Basis-URL',
  apiKey: 'API-Schlüssel',
  keyLife: 'Der Schlüssel gilt, solange dieser Tab geöffnet ist.',
  examples: 'Beispiele',
  copy: (name) => `${name} kopieren`,
  copyCode: 'Code kopieren',
  openai: 'openai-Paket',
  openaiNote:
    'In jeder Seite, jedem Frame und jedem Worker dieser Website, solange dieser Tab geöffnet ist.',
  fetchNote: 'Ohne Installation: einfach in die Entwicklerwerkzeuge dieses Tabs einfügen.',
  ownSite: 'Eigene Website',
  ownSiteNote: 'Das Paket slashv1 bringt dieselbe API mit eigenem Schlüssel in die eigene Seite.',
  curlNote:
    'Programme außerhalb des Browsers brauchen die Brücke. Sie stellt die API einer Seite unter 127.0.0.1 bereit und gibt Adresse und Schlüssel aus.',
};
