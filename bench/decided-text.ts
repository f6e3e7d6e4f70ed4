/** Words of an input, which are about 300 tokens. */
export const WORDS = 220;

const NOUNS = [
  'invoice',
  'parcel',
  'password',
  'garden',
  'printer',
  'holiday',
  'engine',
  'kitchen',
];
const VERBS = ['broke', 'arrived', 'vanished', 'cost', 'waited', 'changed', 'began', 'helped'];
export const TEAMS = ['billing', 'shipping', 'sales', 'support'];

/** Ten questions of four options. */
export const QUESTIONS = NOUNS.concat('letter', 'ticket').map((noun, at) => ({
  type: 'choice',
  name: `q${at}`,
  instructions: `Which team answers for the ${noun}?`,
  choices: TEAMS.map((value) => ({ value })),
}));

/** A text that no prompt before has begun with. */
export function decidedText(random: () => number, words: number): string {
  const word = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? '';
  const sentences: string[] = [];
  for (let at = 0; at < words; at += 6) {
    sentences.push(
      `The ${word(NOUNS)} ${word(VERBS)} after ${Math.floor(random() * 90) + 10} days.`,
    );
  }
  return sentences.join(' ');
}
