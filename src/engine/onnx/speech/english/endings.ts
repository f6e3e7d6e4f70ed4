import type { English } from './english.ts';

/** An inflection: how to find the stem of an inflected word, and how the word sounds. */
interface Ending {
  /** Replacements that turn a word into its stem, the likeliest first. */
  stems: [ending: RegExp, instead: string][];
  sound: (stem: string, english: English) => string;
}

const ENDINGS: Ending[] = [
  {
    stems: [
      [/'s$/, ''],
      [/(?<!s)s$/, ''],
      [/ies$/, 'y'],
      [/es$/, ''],
    ],
    sound: (stem, english) => {
      if (/[ptkfθ]$/.test(stem)) return `${stem}s`;
      return /[szʃʒʧʤ]$/.test(stem) ? `${stem}${weakVowel(english)}z` : `${stem}z`;
    },
  },
  {
    stems: [
      [/(?<=e)d$/, ''],
      [/ed$/, ''],
      [/ied$/, 'y'],
      [/([b-z])\1ed$/, '$1'],
    ],
    sound: (stem, english) => {
      if (/[pkfθʃsʧ]$/.test(stem)) return `${stem}t`;
      if (isFlapped(stem, english)) return `${stem.slice(0, -1)}ɾᵻd`;
      return /[td]$/.test(stem) ? `${stem}${weakVowel(english)}d` : `${stem}d`;
    },
  },
  {
    stems: [
      [/ing$/, ''],
      [/ing$/, 'e'],
      [/([b-z])\1ing$/, '$1'],
    ],
    sound: (stem, english) => {
      if (isFlapped(stem, english)) return `${stem.slice(0, -1)}ɾɪŋ`;
      // A British r that was silent at the end is heard before a vowel.
      return english === 'en-GB' && /(?:ə|[ɔɑɜɛ]ː)$/.test(stem) ? `${stem}ɹɪŋ` : `${stem}ɪŋ`;
    },
  },
];

/**
 * The phonemes of an inflected word, derived from those of its stem.
 *
 * @param known - the phonemes of a word in the lexicon, if it is there
 */
export function inflected(
  word: string,
  english: English,
  known: (stem: string) => string | undefined,
): string | undefined {
  for (const { stems, sound } of ENDINGS) {
    for (const [ending, instead] of stems) {
      const stem = word.replace(ending, instead);
      const found = stem === word || stem.length < 2 ? undefined : known(stem);
      if (found !== undefined) return sound(found, english);
    }
  }
  return undefined;
}

function weakVowel(english: English): string {
  return english === 'en-GB' ? 'ɪ' : 'ᵻ';
}

/** Whether the t at the end becomes an American flap before a vowel. */
function isFlapped(stem: string, english: English): boolean {
  return english === 'en-US' && /[AIOWYiuæɑəɛɪɹʊʌ]t$/.test(stem);
}
