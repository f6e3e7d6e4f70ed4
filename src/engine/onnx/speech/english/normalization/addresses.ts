import { spellDigits } from './numbers.ts';

const EMAIL = /\b([\w.+-]+)@((?:[a-z\d-]+\.)+[a-z]{2,})\b/gi;
const URL_PATTERN = /\b(?:https?:\/\/|www\.)[^\s<>"]+[^\s<>".,;:!?)\]']/gi;
/** A bare host name. Its top-level domain is a well-known one, so that `end.Next` is not taken for a host. */
const HOST =
  /\b(?:[a-z\d-]+\.)+(?:com|org|net|edu|gov|io|ai|dev|app|co\.uk)\b(?:\/[^\s<>"]*[^\s<>".,;:!?)\]'])?/gi;

const FILE_ENDINGS =
  'js|ts|py|rs|md|txt|pdf|html?|css|json|xml|ya?ml|csv|zip|tar|gz|exe|sh|png|jpe?g|gif|svg|mp[34]|wav|docx?|xlsx?|pptx?';
const FILE = new RegExp(`(?<=[\\p{L}\\d])\\.(${FILE_ENDINGS})\\b`, 'giu');
/** A name that begins with a dot, as in `.NET`. */
const DOTTED = /(?<![^\s("'/])\.(?=\p{L}[\p{L}\d]+)/gu;

const SIGNS: Record<string, string> = {
  '.': 'dot',
  '/': 'slash',
  '-': 'dash',
  _: 'underscore',
  '@': 'at',
  ':': 'colon',
  '?': 'question mark',
  '=': 'equals',
  '&': 'and',
  '#': 'hash',
  '+': 'plus',
  '%': 'percent',
  '~': 'tilde',
};

/** Writes links and e-mail addresses in words, sign by sign. The scheme of a link is left out. */
export function spellAddresses(text: string): string {
  return text
    .replace(EMAIL, spellAddress)
    .replace(URL_PATTERN, (link) =>
      spellAddress(link.replace(/^https?:\/\//i, '').replace(/\/$/, '')),
    )
    .replace(HOST, spellAddress)
    .replace(FILE, (_, ending: string) => ` dot ${spelledEnding(ending)}`)
    .replace(DOTTED, 'dot ');
}

/** `pdf` has no vowel to be said with, so its letters are spelled. */
function spelledEnding(ending: string): string {
  const letters = ending.replace(/\d/g, '');
  return /[aeiou]/i.test(letters) ? ending : ending.replace(letters, letters.toUpperCase());
}

function spellAddress(address: string): string {
  const words = address
    .replace(/^www\./i, '')
    .replace(/\d+/g, (digits) => ` ${spellDigits(digits)} `)
    .replace(/[^a-z\d\s]/gi, (sign) => ` ${SIGNS[sign] ?? ''} `);
  return (/^www\./i.test(address) ? 'WWW dot ' : '') + words.replace(/\s+/g, ' ').trim();
}
