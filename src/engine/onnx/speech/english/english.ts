/** Variants of English, which differ in dates and in the names of letters. */
export type English = 'en-US' | 'en-GB';
