import type { Messages } from '../en/index.ts';

export const speech: Messages['speech'] = {
  title: 'Vorlesen',
  text: 'Text',
  model: 'Modell',
  readyModels: 'Einsatzbereit',
  hubModels: 'Vom Modell-Hub',
  voice: 'Stimme',
  format: 'Format',
  speed: 'Tempo',
  waiting: 'Wartet auf den ersten Satz …',
  making: 'Die ganze Datei wird erzeugt …',
  saved: 'Gespeichert.',
  saveFile: 'Datei speichern',
  speak: 'Vorlesen',
  unplayable: 'Der Browser kann das nicht abspielen.',
  unreachable: 'Die API ist nicht erreichbar. Bitte die Seite neu laden.',
};

export const dictation: Messages['dictation'] = {
  start: 'Diktieren',
  end: 'Diktat beenden',
  asking: 'Wartet auf das Mikrofon …',
  recording: (time) => `Aufnahme: ${time}`,
  writing: 'Das Gesagte wird aufgeschrieben …',
  silent: 'Es wurde nichts gesagt.',
  notAllowed:
    'Der Browser lässt diese Seite das Mikrofon nicht verwenden. Bitte in den Einstellungen dieser Website erlauben und erneut versuchen.',
  notFound: 'Kein Mikrofon gefunden.',
  notReadable:
    'Das Mikrofon lässt sich nicht verwenden: Vielleicht nutzt es gerade ein anderes Programm.',
  noHttps: 'Diese Seite kann kein Mikrofon verwenden: Dafür ist HTTPS nötig.',
  failed: (reason) => `Das Mikrofon lässt sich nicht verwenden. ${reason}`,
};
