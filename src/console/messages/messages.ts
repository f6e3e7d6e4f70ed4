import { signal } from '@preact/signals';
import en from './en.json';

/** A text with a form for each plural category of its language. `{count}` stands for the number that decides. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** The texts of a language: the keys are those of English. */
type Texts<English> = {
  [Key in keyof English]: English[Key] extends string
    ? string
    : English[Key] extends { other: string }
      ? Plural
      : Texts<English[Key]>;
};

export type Messages = Texts<typeof en>;

export { en };

/**
 * All texts of the console in the chosen language. A component that reads them is drawn again when the language
 * changes.
 */
export const messages = signal<Messages>(en);
