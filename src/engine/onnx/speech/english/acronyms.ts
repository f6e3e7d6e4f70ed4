/** Written in capitals, said as words. */
const SAID_AS_WORDS = new Set(
  (
    'AIDS ASAP ASCII CAPTCHA COVID DARPA FEMA FIFA GIF IKEA JPEG LASER LEGO NAFTA NASA NASDAQ NATO ' +
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

/** A word of this many capitals or more is stressed rather than spelled, if it can be said. */
const SHORTEST_STRESSED = 6;

/**
 * Words in capitals as `F.B.I` where they are spelled, else in small letters. A text all in capitals
 * shouts: then only what cannot be said is spelled.
 */
export function spellAcronyms(text: string): string {
  const shouts = !/\p{Ll}/u.test(text) && /\p{Lu}{2,}\P{L}+\p{Lu}{2,}/u.test(text);
  return text.replace(
    /(?<![\p{L}.])(\p{Lu}{2,})(s|'s)?(?![\p{L}])/gu,
    (_, word: string, ending = '') =>
      isSaid(word, shouts) ? word.toLowerCase() + String(ending) : spell(word) + String(ending),
  );
}

function isSaid(word: string, shouts: boolean): boolean {
  if (!/[AEIOUY]/.test(word)) return false;
  if (SAID_AS_WORDS.has(word) || STRESSED_WORDS.has(word)) return true;
  return shouts || word.length >= SHORTEST_STRESSED;
}

function spell(word: string): string {
  return Array.from(word).join('.');
}
