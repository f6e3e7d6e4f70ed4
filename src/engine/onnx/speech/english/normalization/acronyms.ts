/** Acronyms that are said as words. */
const SAID_AS_WORDS = new Set(
  (
    'AIDS ASAP ASCII CAPTCHA COVID DARPA FEMA FIFA GIF IKEA JPEG LASER LEGO NAFTA NASA NASDAQ NATO NET ' +
    'OPEC OSHA PIN POSIX RADAR RAM REM ROM SCUBA SIM SONAR SWAT UNESCO UNICEF YOLO WYSIWYG ZIP'
  ).split(' '),
);

/** Short words that people write in capitals to stress them. */
const STRESSED_WORDS = new Set(
  (
    'ALL AND ANY ARE BAD BE BEST BIG BUT CAN DAY DID DO END FOR FREE FROM GO GOOD HAS HE HER HERE HIS ' +
    'HOW IF IN IS IT ITS JUST LET MAY MORE MOST MUST MY NEW NO NOT NOW OF OFF OLD ON ONE ONLY OR OUR ' +
    'OUT OWN SAY SEE SHE SO STOP THAT THE THEM THEN THEY THIS TO TOO TOP TWO UP USE VERY WANT WAS WAY ' +
    'WE WHAT WHEN WHO WHY WILL WITH YES YET YOU YOUR'
  ).split(' '),
);

/** A pronounceable word of at least this many capitals is stressed, not spelled. */
const SHORTEST_STRESSED = 6;

/**
 * Writes words in capitals as `F.B.I` if they are spelled, and otherwise in lower case. In a text that is all
 * in capitals, only unpronounceable words are spelled.
 *
 * @param written - the text before its numbers became words in lower case
 */
export function spellAcronyms(text: string, written: string): string {
  const isShouted = !/\p{Ll}/u.test(written) && /\p{Lu}{2,}\P{L}+\p{Lu}{2,}/u.test(written);
  return text.replace(
    /(?<![\p{L}.])(\p{Lu}{2,})(s|'s)?(?![\p{L}])/gu,
    (_, word: string, ending = '') =>
      isSaid(word, isShouted) ? word.toLowerCase() + String(ending) : spell(word) + String(ending),
  );
}

function isSaid(word: string, isShouted: boolean): boolean {
  if (!/[AEIOUY]/.test(word)) return false;
  if (SAID_AS_WORDS.has(word) || STRESSED_WORDS.has(word)) return true;
  return isShouted || word.length >= SHORTEST_STRESSED;
}

function spell(word: string): string {
  return Array.from(word).join('.');
}
