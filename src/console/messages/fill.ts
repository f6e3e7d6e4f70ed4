import { locale, numberFormat } from './locale.ts';
import type { Plural } from './messages.ts';

/**
 * Puts values in the place of the `{names}` of a text. Numbers are written as the language writes them; the value `count`
 * chooses the form of a plural.
 */
export function fill(text: string | Plural, values: Record<string, string | number>): string {
  const form = typeof text === 'string' ? text : formOf(text, Number(values['count']));
  return form.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name] ?? placeholder;
    return typeof value === 'number' ? numberFormat().format(value) : value;
  });
}

function formOf(plural: Plural, count: number): string {
  return plural[new Intl.PluralRules(locale.value).select(count)] ?? plural.other;
}
