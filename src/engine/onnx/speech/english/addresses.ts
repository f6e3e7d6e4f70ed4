import { spellDigits } from './numbers.ts';

const EMAIL = /\b([\w.+-]+)@((?:[a-z\d-]+\.)+[a-z]{2,})\b/gi;
const URL_PATTERN = /\b(?:https?:\/\/|www\.)[^\s<>"]+[^\s<>".,;:!?)\]']/gi;
/** A bare host name. Its top-level domain is a well-known one, so that `end.Next` is not taken for a host. */
const HOST =
  /\b(?:[a-z\d-]+\.)+(?:com|org|net|edu|gov|io|ai|dev|app|co\.uk)\b(?:\/[^\s<>"]*[^\s<>".,;:!?)\]'])?/gi;

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
    .replace(HOST, spellAddress);
}

function spellAddress(address: string): string {
  const words = address
    .replace(/^www\./i, '')
    .replace(/\d+/g, (digits) => ` ${spellDigits(digits)} `)
    .replace(/[^a-z\d\s]/gi, (sign) => ` ${SIGNS[sign] ?? ''} `);
  return (/^www\./i.test(address) ? 'WWW dot ' : '') + words.replace(/\s+/g, ' ').trim();
}
