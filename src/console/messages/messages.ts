import { signal } from '@preact/signals';
import { en, type Messages } from './en/index.ts';

/** All texts of the console, in the language that is shown. What reads them while it draws is drawn anew in the next language. */
export const messages = signal<Messages>(en);
