import { signal } from '@preact/signals';

/** BCP 47 tag by which numbers, dates and plurals are written: the language of the texts, with the user's region. */
export const locale = signal('en');
