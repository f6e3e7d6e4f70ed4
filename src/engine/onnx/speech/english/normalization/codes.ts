import { cardinal, spellDigits } from './numbers.ts';

const IP_ADDRESS = /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\d)/g;
const INTERNATIONAL = /(?<![\w+])\+(\d{1,3})((?:[ .-]?\(?\d{1,4}\)?){2,5})(?![\w-])/g;
/** A North American number, with the brackets or dots that people write. */
const PHONE =
  /(?<![\w.-])(?:(1)[-. ])?(?:\((\d{3})\) ?|(\d{3})([-.]))(\d{3})[-.](\d{4})(?![\w-]|\.\d)/g;
const LOCAL_PHONE = /(?<![\w-])\d{3}-\d{4}(?![\w-])/g;
/** Groups of a social security number, an ISBN and the like. */
const HYPHENATED = /(?<![\w-])\d+(?:-\d+){2,}(?![\w-])/g;
/** Numbers with spaces, which are told from quantities by their first digits or by the length of their groups. */
const SPACED_PHONE =
  /(?<![\d-] ?)(?:(?:1 )?\d{3} \d{3} \d{4}|(?:0\d{2,4}|\(0\d{2,4}\))(?: \d{3,4}){1,2})(?!(?: ?|-)\d)/g;
/** Groups of a card or an account number. */
const SPACED = /(?<![\d-] ?)\d{4}(?: \d{4}){2,}(?! ?\d)/g;
const EMERGENCY =
  /(?<=\b(?:[Cc]all|[Dd]ial|[Pp]hone|[Rr]ing)(?:s|ed|ing|ling|led)? )(?:[2-9]11|112|999|988)(?![\w-]|[.,]\d)/g;
const ZIP = /(?<=\b(?:[A-Z]{2}|ZIP|[Zz]ip)(?: [Cc]odes?)? )\d{5}(?:-\d{4})?(?![\w-])/g;

/** Writes figures that are no quantities digit by digit: phone numbers, ZIP codes, addresses of computers. */
export function speakCodes(text: string): string {
  return text
    .replace(IP_ADDRESS, (address) => address.split('.').map(cardinal).join(' dot '))
    .replace(INTERNATIONAL, (number, country: string, rest: string) =>
      number.replace(/\D/g, '').length < 8 ? number : `plus ${groups(country + ' ' + rest)}`,
    )
    .replace(/\b1-(\d{3})-(?=[A-Z]{3})/g, (number) => `${groups(number)}, `)
    .replace(PHONE, groups)
    .replace(LOCAL_PHONE, groups)
    .replace(HYPHENATED, groups)
    .replace(SPACED_PHONE, groups)
    .replace(SPACED, groups)
    .replace(EMERGENCY, groups)
    .replace(ZIP, groups);
}

function groups(number: string): string {
  return (number.match(/\d+/g) ?? []).map(spellDigits).join(', ');
}
