import { counted } from '../counted.ts';
import type { Messages } from '../en/index.ts';

export const chat: Messages['chat'] = {
  chats: 'Chats',
  newChat: 'Neuer Chat',
  settings: 'Einstellungen dieses Chats',
  dock: 'Frage',
  message: 'Nachricht',
  placeholder: 'Frage eingeben',
  send: 'Senden (Eingabetaste)',
  stop: 'Stopp (Esc)',
  you: 'Frage',
  answer: 'Antwort',
  thinking: 'Gedankengang',
  leaves: (name) => `Fragen verlassen dieses Gerät: ${name} beantwortet sie.`,
  servedBy: (name) => `Von ${name}, nicht auf diesem Gerät erzeugt`,
  welcome: {
    title: 'Diese Seite ist eine API.',
    lead: 'Sie spricht das Protokoll von OpenAI, und das Modell dahinter läuft auf dem eigenen Gerät. Alle Eingaben bleiben auf diesem Gerät.',
    leadUpstreams: (names) =>
      `Sie spricht das Protokoll von OpenAI. Bei Modellen, die auf dem eigenen Gerät laufen, bleiben alle Eingaben dort. Bei Modellen eines anderen Servers (${names}) wird der Chat an diesen gesendet.`,
    suggestions: 'Vorschläge',
    capital: 'Was ist die Hauptstadt von Frankreich?',
    poem: 'Schreibe ein Gedicht über das Meer.',
    sky: 'Warum ist der Himmel blau?',
    copyURL: 'Basis-URL kopieren',
  },
  list: {
    keep: 'Chats auf diesem Gerät behalten',
    kept: 'Sie werden in diesem Browser gespeichert und sonst nirgends.',
    notKept: 'Sie werden nicht gespeichert und enden mit diesem Tab.',
    cannotKeep: 'Der Browser kann die Chats nicht behalten: Sein Speicher ist voll oder gesperrt.',
    none: 'Noch keine Chats.',
    save: (title) => `${title} als Markdown speichern`,
    delete: (title) => `${title} löschen`,
    saveAll: 'Alle als JSON speichern',
    deleteAll: 'Alle löschen',
    reallyDelete: 'Wirklich alle löschen?',
  },
  turn: {
    copyAnswer: 'Antwort kopieren',
    copyQuestion: 'Frage kopieren',
    editAnswer: 'Antwort bearbeiten',
    editQuestion: 'Frage bearbeiten',
    deleteAnswer: 'Antwort und alles Folgende löschen',
    deleteQuestion: 'Frage und alles Folgende löschen',
    deleteResults: 'Ergebnisse und alles Folgende löschen',
    readAloud: 'Vorlesen',
    again: 'Neu beantworten',
    branch: 'In neuem Chat fortsetzen',
    alternatives: 'Varianten',
    before: 'Vorige Variante anzeigen',
    next: 'Nächste Variante anzeigen',
    position: (at, all) => `${at} von ${all}`,
    text: 'Text',
  },
  notes: {
    stopped: 'Gestoppt',
    edited: 'Bearbeitet',
    cutOff: 'An der Längengrenze abgeschnitten',
    blind: 'Ohne die Bilder gefragt: Dieses Modell kann nicht sehen',
    shortened: (count) => `Ohne die ältesten ${count} Nachrichten gefragt`,
    speed: (rate) => `${rate} Tokens/s`,
    firstToken: (time) => `${time} bis zum ersten Token`,
    promptTokens: (count) => counted(count, { one: 'Prompt-Token', other: 'Prompt-Tokens' }),
    cached: (prompt, cached) => `${prompt}, davon ${cached} im Cache`,
    queue: (count) => counted(count, { one: 'Anfrage davor', other: 'Anfragen davor' }),
    reading: (percent) => `Der Chat wird gelesen: ${percent}`,
    isReading: 'Der Chat wird gelesen.',
    hasStopped: 'Gestoppt.',
    end: 'Ende der Antwort.',
  },
  tools: {
    call: 'Ruft eine Funktion auf:',
    isCalling: (name) => `Ruft die Funktion ${name} auf.`,
    result: 'Ergebnis der Funktion:',
    results: 'Ergebnisse von Funktionen',
    form: 'Ergebnisse der Funktionen',
    lead: 'Die Konsole ruft keine Funktionen auf. Hier eintragen, was sie zurückgeben.',
    resultOf: (name) => `Ergebnis von ${name}`,
    send: 'Ergebnisse senden',
    notList: 'Tools müssen eine JSON-Liste sein.',
    noName: 'Jedes Tool braucht function.name.',
  },
  options: {
    system: 'System-Prompt',
    systemNote: 'Was dem Modell vor dem Chat gesagt wird.',
    temperature: 'Temperatur',
    topP: 'Top p',
    maxTokens: 'Tokens je Antwort, höchstens',
    seed: 'Seed',
    thinking: 'Modelle nachdenken lassen, die es können',
    dropsOldest: 'Älteste Beiträge weglassen, wenn der Chat zu lang wird',
    tools: 'Funktionen, die das Modell aufrufen darf',
    toolsNote:
      'Eine JSON-Liste von Tools, wie in der API. Was die Funktionen zurückgeben, wird von Hand eingetragen. Leer: keine.',
    schema: 'JSON-Schema der Antworten',
    schemaNote: 'Leer: freier Text.',
    notSchema: 'Ein JSON-Schema muss ein Objekt sein.',
  },
  export: {
    system: 'System',
    servedBy: (name) => `Antwort von ${name}, nicht auf diesem Gerät erzeugt`,
  },
};

export const failure: Messages['failure'] = {
  failed: 'Die Anfrage ist fehlgeschlagen.',
  brokeOff: 'Die Antwort brach ab.',
  retry: 'Wiederholen',
  dropOldest: 'Älteste Beiträge weglassen',
  messageTooLong:
    'Schon die letzte Nachricht ist mit ihren Dateien und dem System-Prompt länger, als dieses Modell fassen kann. Bitte kürzen oder ein Modell mit längerem Kontext wählen.',
  chatTooLong:
    'Die letzte Nachricht passt, aber der ganze Chat ist länger, als dieses Modell fassen kann.',
  hints: {
    model_not_found: 'Unter dem Textfeld ein anderes Modell wählen.',
    out_of_memory:
      'Ein kleineres Modell wählen oder andere Tabs mit hohem Speicherverbrauch schließen.',
    load_crashed:
      'Ein kleineres Modell wählen oder andere Tabs mit hohem Speicherverbrauch schließen und erneut fragen.',
    webgpu_unavailable: 'Unter dem Textfeld ein anderes Modell wählen.',
    storage_full:
      'Ein nicht mehr benötigtes Modell löschen oder Platz auf dem Datenträger schaffen.',
    rate_limit_exceeded:
      'Andere Anfragen warten auf dieses Modell. Bitte gleich noch einmal versuchen.',
    invalid_api_key:
      'Der Schlüssel dieser Seite gilt nicht mehr. Nach dem Neuladen hat sie einen neuen.',
    connection:
      'Die Seite hat vielleicht ihren Service Worker verloren. Wenn Wiederholen nicht hilft, die Seite neu laden.',
  },
};

export const attachments: Messages['attachments'] = {
  attach: 'Dateien anhängen',
  attached: 'Angehängt',
  remove: (name) => `${name} entfernen`,
  blind:
    'Dieses Modell kann keine Bilder sehen. Bitte die Bilder entfernen oder ein Modell wählen, das sehen kann.',
  fits: (whole, context) =>
    `Es passt: Der Chat hat mit diesen Dateien ${whole} der ${context} Tokens, die das Modell fasst.`,
  tooLong: (whole, context) =>
    `Zu lang: Der Chat hat mit diesen Dateien ${whole} Tokens, das Modell fasst ${context}. Bitte eine Datei entfernen oder ein Modell mit längerem Kontext wählen.`,
  farTooLong: (context) =>
    `Viel zu lang: Das Modell fasst nur ${context} Tokens. Bitte eine Datei entfernen oder ein Modell mit längerem Kontext wählen.`,
  tooLarge: (name) => `${name} ist zu groß.`,
  noText: (name) => `${name} enthält keinen Text.`,
  unknownKind: (name) => `${name} ist weder ein Bild noch eine PDF-Datei noch Text in UTF-8.`,
  notPicture: (name) => `${name} ist kein Bild, das dieser Browser lesen kann.`,
  cannotScale: 'Der Browser kann das Bild nicht verkleinern.',
  noReader: 'Der Teil dieser Seite, der PDF-Dateien liest, konnte nicht geladen werden.',
  password: (name) => `${name} ist durch ein Passwort geschützt.`,
  notPdf: (name) => `${name} ist keine lesbare PDF-Datei.`,
};
