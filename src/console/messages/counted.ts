import { locale } from './locale.ts';
import { numberFormat } from './number-format.ts';

/** What a number stands before, for each of the plural forms that the language has. */
type Forms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** `1 token`, `8,192 tokens`: the number with the form that belongs to it. */
export function counted(count: number, forms: Forms): string {
  const form = forms[new Intl.PluralRules(locale.value).select(count)] ?? forms.other;
  return `${numberFormat().format(count)} ${form}`;
}
