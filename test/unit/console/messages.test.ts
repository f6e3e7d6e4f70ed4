import { afterEach, describe, expect, test } from 'vitest';
import { de } from '../../../src/console/messages/de/index.ts';
import { en, type Messages } from '../../../src/console/messages/en/index.ts';
import { es } from '../../../src/console/messages/es/index.ts';
import { fr } from '../../../src/console/messages/fr/index.ts';
import { ja } from '../../../src/console/messages/ja/index.ts';
import {
  langAttribute,
  localeFor,
  preferredLanguage,
} from '../../../src/console/messages/language.ts';
import { locale } from '../../../src/console/messages/locale.ts';
import { messages } from '../../../src/console/messages/messages.ts';
import { zh } from '../../../src/console/messages/zh/index.ts';
import {
  formatBytes,
  formatBytesOf,
  formatDate,
  formatPercent,
  formatSeconds,
} from '../../../src/console/ui/format.ts';

const OTHERS = { de, fr, es, ja, zh };

function speak(tag: string, texts: Messages): void {
  locale.value = tag;
  messages.value = texts;
}

afterEach(() => speak('en', en));

/** Every text by its path, as it reads with the numbers 71, 72 and so on as its parameters. */
function textsOf(value: unknown, path = ''): Map<string, string> {
  if (typeof value === 'string') return new Map([[path, value]]);
  if (typeof value === 'function') {
    const parameters = Array.from({ length: value.length }, (_, index) => 71 + index);
    const text: unknown = Reflect.apply(value, undefined, parameters);
    return new Map([[path, String(text)]]);
  }
  const entries = Object.entries(value ?? {});
  return new Map(entries.flatMap(([name, part]) => [...textsOf(part, `${path}.${name}`)]));
}

/** Some languages put a space that does not break before a unit. */
function plain(text: string): string {
  return text.replaceAll(/\s/g, ' ');
}

/** What a translation must keep: the parameters, and what is code. */
function kept(text: string): string[] {
  return [...(text.match(/7\d/g) ?? []), ...(text.match(/`[^`]+`/g) ?? [])].sort();
}

describe.each(Object.entries(OTHERS))('in %s', (tag, texts) => {
  test('every text is there, with its parameters and its code', () => {
    const expected = textsOf(en);
    speak(tag, texts);
    const translated = textsOf(texts);
    expect([...translated.keys()]).toEqual([...expected.keys()]);
    for (const [path, text] of expected) {
      const translation = translated.get(path) ?? '';
      expect(translation.trim(), path).not.toBe('');
      expect(kept(translation), path).toEqual(kept(text));
    }
  });

  test('sentences are translated', () => {
    const translated = textsOf(texts);
    const same = [...textsOf(en)].filter(
      ([path, text]) => /[a-z] .*[a-z] /.test(text) && translated.get(path) === text,
    );
    expect(same).toEqual([]);
  });
});

test.each([
  [['de-AT', 'en'], 'de'],
  [['pt-BR', 'es-MX', 'en'], 'es'],
  [['zh-CN'], 'zh'],
  [['zh-Hans-HK'], 'zh'],
  [['zh-TW', 'ja'], 'ja'],
  [['tlh', 'not a tag'], 'en'],
  [[], 'en'],
])('of %j, the console speaks %s', (tags, language) => {
  expect(preferredLanguage(tags)).toBe(language);
});

test('numbers follow the region of the user, if the language is theirs', () => {
  expect(localeFor('de', ['en-US', 'de-CH'])).toBe('de-CH');
  expect(localeFor('fr', ['de-CH'])).toBe('fr');
  expect(langAttribute('zh')).toBe('zh-Hans');
  expect(langAttribute('ja')).toBe('ja');
});

test('numbers, units and dates are written as the language writes them', () => {
  speak('de', de);
  expect(plain(formatBytes(7_440_000))).toBe('7,44 MB');
  expect(plain(formatBytesOf(730_000_000, 1_830_000_000))).toBe('0,73 von 1,83 GB');
  expect(plain(formatPercent(0.43))).toBe('43 %');
  expect(formatSeconds(8.14)).toBe('8,1 s');
  expect(formatDate(Date.UTC(2026, 2, 4, 12))).toBe('04.03.2026');
  expect(de.models.tokens(8192)).toBe('8.192 Tokens');
  expect(de.models.tokens(1)).toBe('1 Token');
  speak('fr', fr);
  expect(formatBytes(999)).toBe('999 o');
  expect(plain(formatBytes(88_100_000))).toBe('88,1 Mo');
  speak('ja', ja);
  expect(formatSeconds(190)).toBe('3 分');
  expect(ja.models.tokens(1)).toBe('1 トークン');
});
