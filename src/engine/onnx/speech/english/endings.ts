import type { English } from './english.ts';

/** One inflection: which words have it, what their stems may be, and how it sounds. */
interface Ending {
  /** Ways to get from the word to its stem, the likeliest first. */
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
 * The sound of an inflected word, from that of its stem.
 *
 * @param known - the sound of a word, if it has one in the lexicon
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

/** An American t between vowels. */
function isFlapped(stem: string, english: English): boolean {
  return english === 'en-US' && /[AIOWYiuæɑəɛɪɹʊʌ]t$/.test(stem);
}
