import { batch, signal, type ReadonlySignal } from '@preact/signals';
import { readSetting, writeSetting } from '../ui/settings.ts';
import { locale } from './locale.ts';
import { en, messages, type Messages } from './messages.ts';

/** The languages of the console, by their own names. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ja: '日本語',
  zh: '简体中文',
} as const;

export type Language = keyof typeof LANGUAGES;

/** Each language is its own chunk, fetched when it is chosen. English is always loaded. */
const LOADERS: Record<Language, () => Promise<Messages>> = {
  en: () => Promise.resolve(en),
  de: async () => (await import('./de.json')).default,
  fr: async () => (await import('./fr.json')).default,
  es: async () => (await import('./es.json')).default,
  ja: async () => (await import('./ja.json')).default,
  zh: async () => (await import('./zh.json')).default,
};

const shown = signal<Language>('en');

/** The language that is shown. */
export const language: ReadonlySignal<Language> = shown;

/** The first of the user's languages that the console has, else English. */
export function preferredLanguage(tags: readonly string[]): Language {
  return tags.map(languageOf).find((found) => found !== undefined) ?? 'en';
}

/** The tag for dates and numbers: the first of the user's that is in this language, because it has their region. */
export function localeFor(wanted: Language, tags: readonly string[]): string {
  return tags.find((tag) => languageOf(tag) === wanted) ?? wanted;
}

/** The language of a BCP 47 tag. Chinese is available only in simplified characters. */
function languageOf(tag: string): Language | undefined {
  try {
    const { language: name, script } = new Intl.Locale(tag).maximize();
    return isLanguage(name) && (name !== 'zh' || script === 'Hans') ? name : undefined;
  } catch {
    // The browser's list may have entries that are not valid tags.
    return undefined;
  }
}

export function isLanguage(name: string): name is Language {
  return Object.hasOwn(LANGUAGES, name);
}

/** The tag for `lang` attributes: Chinese characters are drawn differently in Chinese and in Japanese. */
export function langAttribute(name: Language): string {
  return name === 'zh' ? 'zh-Hans' : name;
}

/** Shows the language that was chosen on an earlier visit, else the browser's. Resolves when its texts are loaded. */
export async function restoreLanguage(): Promise<void> {
  const stored = readSetting('language');
  const wanted =
    stored !== null && isLanguage(stored) ? stored : preferredLanguage(navigator.languages);
  try {
    await show(wanted);
  } catch {
    // Without a network and without a copy in this browser, the console speaks English.
  }
}

/**
 * Shows a language from now on. If it is the browser's own, the stored choice is deleted, so that the console follows
 * the browser again.
 *
 * @throws what `import` throws if the texts cannot be fetched; the language then stays the same
 */
export async function chooseLanguage(wanted: Language): Promise<void> {
  await show(wanted);
  writeSetting('language', wanted === preferredLanguage(navigator.languages) ? null : wanted);
}

/** Runs `make` while the texts are in English, for readers of bug reports. */
export function inEnglish<T>(make: () => T): T {
  const before = { texts: messages.value, tag: locale.value };
  return batch(() => {
    messages.value = en;
    locale.value = 'en';
    try {
      return make();
    } finally {
      messages.value = before.texts;
      locale.value = before.tag;
    }
  });
}

async function show(wanted: Language): Promise<void> {
  const texts = await LOADERS[wanted]();
  batch(() => {
    shown.value = wanted;
    locale.value = localeFor(wanted, navigator.languages);
    messages.value = texts;
  });
  document.documentElement.lang = langAttribute(wanted);
}
