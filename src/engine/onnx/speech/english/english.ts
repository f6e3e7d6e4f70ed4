/** Variants of English that write dates and call letters in different ways. */
export type English = 'en-US' | 'en-GB';
