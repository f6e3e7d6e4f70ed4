/** With a dot, before a name. */
const TITLES: Record<string, string> = {
  Dr: 'Doctor',
  Mr: 'Mister',
  Mrs: 'Missus',
  Ms: 'Miz',
  Prof: 'Professor',
  Rev: 'Reverend',
  Gen: 'General',
  Col: 'Colonel',
  Capt: 'Captain',
  Lt: 'Lieutenant',
  Sgt: 'Sergeant',
  Sen: 'Senator',
  Rep: 'Representative',
  Gov: 'Governor',
  Pres: 'President',
  Hon: 'Honorable',
  St: 'Saint',
};

/** With a dot, anywhere. A sentence may end with one. */
const WORDS: Record<string, string> = {
  Jr: 'Junior',
  Sr: 'Senior',
  Inc: 'Incorporated',
  Ltd: 'Limited',
  Corp: 'Corporation',
  Ave: 'Avenue',
  Blvd: 'Boulevard',
  Rd: 'Road',
  St: 'Street',
  Dept: 'Department',
  approx: 'approximately',
  dept: 'department',
  est: 'established',
  vs: 'versus',
  etc: 'et cetera',
  Mt: 'Mount',
  Ft: 'Fort',
  Vol: 'Volume',
  vol: 'volume',
  pp: 'pages',
  Jan: 'January',
  Feb: 'February',
  Mar: 'March',
  Apr: 'April',
  Jun: 'June',
  Jul: 'July',
  Aug: 'August',
  Sept: 'September',
  Sep: 'September',
  Oct: 'October',
  Nov: 'November',
  Dec: 'December',
  Mon: 'Monday',
  Tue: 'Tuesday',
  Tues: 'Tuesday',
  Wed: 'Wednesday',
  Thu: 'Thursday',
  Thurs: 'Thursday',
  Fri: 'Friday',
};

/** With a dot, before a number. Elsewhere these are other words. */
const BEFORE_NUMBERS: Record<string, string> = {
  No: 'number',
  no: 'number',
  Nos: 'numbers',
  Fig: 'figure',
  fig: 'figure',
  Ch: 'chapter',
  ch: 'chapter',
  ext: 'extension',
  max: 'maximum',
  min: 'minimum',
  p: 'page',
  Sec: 'section',
  sec: 'section',
  c: 'circa',
  Eq: 'equation',
};

const alternatives = (table: Record<string, string>) => Object.keys(table).join('|');
/** Words without a dot. */
const UNDOTTED: [RegExp, string][] = [
  [/\bvs\b(?!\.)/g, 'versus'],
  [/\betc\b(?!\.)/g, 'et cetera'],
  [/(?<!\w)w\/o(?!\w)/g, 'without'],
  [/(?<!\w)w\/(?=\s|[a-z]{2})/g, 'with '],
  [/\bPhDs\b/g, 'PHDs'],
  [/\bPh\.?D\b(?:\.(?!\s*$|\s+\p{Lu}))?/gmu, 'PHD'],
  [/\bMr\.?(?= (?:&|and) )/g, 'Mister'],
  [/\bMr(?= \p{Lu})/gu, 'Mister'],
  [/\bMrs(?= \p{Lu})/gu, 'Missus'],
  [/\bDr(?= \p{Lu}\p{Ll})/gu, 'Doctor'],
  [/\bProf(?= \p{Lu})/gu, 'Professor'],
  [/(?<!\p{Lu}\p{Ll}+ )\bSt(?= \p{Lu}\p{Ll})/gu, 'Saint'],
];
const TITLE = new RegExp(`\\b(${alternatives(TITLES)})\\.(?=\\s+\\p{Lu})`, 'gu');
const NUMBERED = new RegExp(
  `\\b(${alternatives(BEFORE_NUMBERS)})\\.\\s*(?=\\d|[IVX]{2,}\\b)`,
  'gu',
);
/** `St.` after a capitalised name is a street. Before one it is a saint. */
const STREET = /(?<=\p{Lu}\p{Ll}+ )St\.(?=\s+\p{Lu}|\s*$)/gmu;

/** Words that no name begins with. After an abbreviation, they begin a new sentence. */
const STARTERS =
  'A|An|And|As|At|But|By|For|He|Her|His|How|I|If|In|It|Its|My|No|Nobody|Not|On|Our|She|So|That|The|' +
  'Their|Then|There|These|They|This|To|We|What|When|Where|Who|Why|With|Yes|You|Your';
const END = String.raw`(?=\s*$|\s+(?:${STARTERS})\b)`;
const WORD = String.raw`\b(${alternatives(WORDS)})\.`;
const WORD_AT_END = new RegExp(WORD + END, 'gmu');
const WORD_WITHIN = new RegExp(WORD, 'gu');
const LETTERS = String.raw`\b((?:[A-Za-z]\.)+[A-Za-z])\.(?!\p{L})`;
const LETTERS_WITHIN = new RegExp(`${LETTERS}(?!${END})`, 'gmu');
const LETTERS_AT_END = new RegExp(LETTERS, 'gu');

/**
 * Writes abbreviations out, so that their dot does not end the sentence. At the end of a sentence the dot
 * stays. `U.S.` and `a.m.` become letters that are spelled.
 */
export function expandAbbreviations(text: string): string {
  return UNDOTTED.reduce((plain, [short, full]) => plain.replace(short, full), text)
    .replace(STREET, 'Street.')
    .replace(TITLE, (_, word: string) => TITLES[word] ?? word)
    .replace(NUMBERED, (_, word: string) => `${BEFORE_NUMBERS[word] ?? word} `)
    .replace(/\be\.\s?g\.,?/gi, 'for example,')
    .replace(/\bi\.\s?e\.,?/gi, 'that is,')
    .replace(WORD_AT_END, (_, word: string) => `${WORDS[word] ?? word}.`)
    .replace(WORD_WITHIN, (_, word: string) => WORDS[word] ?? word)
    .replace(LETTERS_WITHIN, (_, letters: string) => letters.toUpperCase())
    .replace(LETTERS_AT_END, (whole) => whole.toUpperCase());
}
