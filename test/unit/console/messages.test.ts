import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { afterEach, describe, expect, test } from 'vitest';
import de from '../../../src/console/messages/de.json';
import es from '../../../src/console/messages/es.json';
import { fill } from '../../../src/console/messages/fill.ts';
import fr from '../../../src/console/messages/fr.json';
import ja from '../../../src/console/messages/ja.json';
import {
  langAttribute,
  localeFor,
  preferredLanguage,
} from '../../../src/console/messages/language.ts';
import { locale } from '../../../src/console/messages/locale.ts';
import { en, messages, type Messages } from '../../../src/console/messages/messages.ts';
import zh from '../../../src/console/messages/zh.json';
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

/** The forms of a text by their plural category; a text without plurals has only `text`. */
type Forms = Record<string, string>;

/** Every text by its path. */
function textsOf(value: unknown, path = ''): Map<string, Forms> {
  if (typeof value === 'string') return new Map([[path, { text: value }]]);
  const entries = Object.entries(value ?? {});
  if (entries.some(([name]) => name === 'other')) {
    return new Map([
      [path, Object.fromEntries(entries.map(([name, form]) => [name, String(form)]))],
    ]);
  }
  return new Map(entries.flatMap(([name, part]) => [...textsOf(part, `${path}.${name}`)]));
}

/** Some languages put a space that does not break before a unit. */
function plain(text: string): string {
  return text.replaceAll(/\s/g, ' ');
}

function placeholdersOf(text: string): string[] {
  return (text.match(/\{\w+\}/g) ?? []).map((placeholder) => placeholder.slice(1, -1)).sort();
}

/** What a translation must keep: the placeholders, and what is code. */
function kept(text: string): string[] {
  return [...placeholdersOf(text), ...(text.match(/`[^`]+`/g) ?? []).sort()];
}

describe.each(Object.entries({ en, ...OTHERS }))('in %s', (tag, texts) => {
  test('every text is there, with its placeholders and its code', () => {
    const expected = textsOf(en);
    const translated = textsOf(texts);
    expect([...translated.keys()]).toEqual([...expected.keys()]);
    for (const [path, english] of expected) {
      const [text = ''] = Object.values(english);
      for (const form of Object.values(translated.get(path) ?? {})) {
        expect(form.trim(), path).not.toBe('');
        expect(kept(form), path).toEqual(kept(text));
        expect(form.replaceAll(/\{\w+\}/g, ''), path).not.toMatch(/[{}]/);
      }
    }
  });

  test('plurals have the forms that whole numbers need', () => {
    const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();
    const rules = new Intl.PluralRules(tag);
    const needed = new Set(Array.from({ length: 1_000 }, (_, count) => rules.select(count)));
    const translated = textsOf(texts);
    for (const [path, english] of textsOf(en)) {
      const forms = Object.keys(translated.get(path) ?? {});
      if ('text' in english) expect(forms, path).toEqual(['text']);
      else {
        expect(pluralCategories, path).toEqual(expect.arrayContaining(forms));
        expect(forms, path).toEqual(expect.arrayContaining([...needed]));
      }
    }
  });
});

test.each(Object.entries(OTHERS))('sentences are translated to %s', (_tag, texts) => {
  const translated = textsOf(texts);
  const same = [...textsOf(en)].filter(([path, { text = '' }]) => {
    return /[a-z] .*[a-z] /.test(text) && translated.get(path)?.['text'] === text;
  });
  expect(same).toEqual([]);
});

/** A call of `fill` in the console: the ends of the paths that its text may have, and the names of its values. */
interface Filling {
  paths: string[];
  values: string[];
}

interface Node {
  type: string;
  [member: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function nameOf(value: unknown): string {
  return isNode(value) && typeof value['name'] === 'string' ? value['name'] : '';
}

/** `.a.b` of `text.a.b`, `messages.value.a.b` and `text().a.b`; `.a` of a variable `a`. */
function pathsOf(node: unknown): string[] {
  if (!isNode(node)) return [];
  if (node.type === 'ConditionalExpression') {
    return [node['consequent'], node['alternate']].flatMap(pathsOf);
  }
  if (node.type === 'Identifier') return [`.${nameOf(node)}`];
  if (node.type !== 'MemberExpression') return [''];
  const { object } = node;
  const isRoot = !isNode(object) || object.type !== 'MemberExpression';
  const isSignal = !isRoot && nameOf(object['property']) === 'value';
  const before = isRoot || isSignal ? [''] : pathsOf(object);
  return before.map((path) => `${path}.${nameOf(node['property'])}`);
}

function fillingsOf(node: Node): Filling[] {
  const inner = Object.values(node).flat().filter(isNode).flatMap(fillingsOf);
  if (node.type !== 'CallExpression' || nameOf(node['callee']) !== 'fill') return inner;
  const [text, values] = [node['arguments']].flat();
  const properties = isNode(values) ? [values['properties']].flat().filter(isNode) : [];
  return [
    { paths: pathsOf(text), values: properties.map(({ key }) => nameOf(key)).sort() },
    ...inner,
  ];
}

test('every text with placeholders is filled, with the values that it names', () => {
  const root = join(import.meta.dirname, '../../../src/console');
  const fillings = globSync('**/*.{ts,tsx}', { cwd: root }).flatMap((file) => {
    const { program } = parseSync(file, readFileSync(join(root, file), 'utf8'));
    return isNode(program) ? fillingsOf(program) : [];
  });
  const withPlaceholders = [...textsOf(en)].flatMap(([path, { text, other }]) => {
    const values = placeholdersOf(text ?? other ?? '');
    return values.length > 0 ? [{ path, values }] : [];
  });
  const fits = ({ paths, values }: Filling, text: { path: string; values: string[] }) =>
    paths.some((path) => text.path.endsWith(path)) && values.join() === text.values.join();
  expect(fillings.length).toBeGreaterThan(50);
  expect(
    fillings.filter((filling) => !withPlaceholders.some((text) => fits(filling, text))),
  ).toEqual([]);
  expect(
    withPlaceholders.filter((text) => !fillings.some((filling) => fits(filling, text))),
  ).toEqual([]);
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
  expect(fill(de.models.tokens, { count: 8192 })).toBe('8.192 Tokens');
  expect(fill(de.models.tokens, { count: 1 })).toBe('1 Token');
  speak('fr', fr);
  expect(formatBytes(999)).toBe('999 o');
  expect(plain(formatBytes(88_100_000))).toBe('88,1 Mo');
  speak('ja', ja);
  expect(formatSeconds(190)).toBe('3 分');
  expect(fill(ja.models.tokens, { count: 1 })).toBe('1 トークン');
  expect(fill('{name} {other}', { name: '{other}' })).toBe('{other} {other}');
});
