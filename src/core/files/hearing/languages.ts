/** Languages for which Whisper and OpenAI's API use other names than the Unicode consortium. */
const OTHER_NAMES: Record<string, string> = {
  bn: 'bengali',
  jw: 'javanese',
  mi: 'maori',
  my: 'myanmar',
  nn: 'nynorsk',
  tl: 'tagalog',
};

/** English name of a language, as OpenAI's API writes it. An unknown code is returned as it is. */
export function languageName(code: string): string {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  return OTHER_NAMES[code] ?? names.of(code)?.toLowerCase() ?? code;
}

/**
 * Finds a language among those that a model knows.
 *
 * @param text - its code, with or without a region (`en-GB`), or its English name; upper or lower case
 * @param codes - of the languages that the model knows
 * @returns undefined if the model does not know the language
 */
export function languageCode(text: string, codes: readonly string[]): string | undefined {
  const wanted = text.trim().toLowerCase();
  const [primary] = wanted.split(/[-_]/);
  return codes.find((code) => code === primary || languageName(code) === wanted);
}
