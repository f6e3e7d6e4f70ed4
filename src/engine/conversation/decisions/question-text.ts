import type { DecisionOption, DecisionQuestion } from '../../../core/operations/jobs/jobs.ts';

/** Begins every prompt of a decision. It is the user who says it: some chat templates know no system message. */
const TASK =
  'You judge an input. Answer with nothing but one of the answers that the question allows.';

/** The most options that are answered with their own words: each word is computed token by token. */
const MOST_WORDS = 26;
const LETTERS = 26;
const MOST_TOKENS = 8;

/** A question as the model reads it. */
export interface AskedQuestion {
  text: string;
  /** The texts with which the model can give each answer. */
  answers: string[][];
}

/**
 * The input as the model reads it: quoted, because what it says is judged and not obeyed.
 */
export function quotedInput(input: string): string {
  return `${TASK}\n\nInput:\n"""\n${input}\n"""\n\n`;
}

/** How the model names the answers to a question. */
export interface AnswerNames {
  names: string[];
  /** Whether they are the options' own texts. */
  areOwn: boolean;
}

/** @param countTokens - of a text */
export async function answerNames(
  question: DecisionQuestion,
  countTokens: (text: string) => Promise<number>,
): Promise<AnswerNames> {
  if (question.type === 'predicate') return { names: ['Yes', 'No'], areOwn: false };
  const { type, options } = question;
  const areOwn = type === 'choice' && (await areWords(options, countTokens));
  const names = options.map(({ text }, at) => {
    if (areOwn) return text;
    return type === 'score' ? String(at) : code(at, options.length);
  });
  return { names, areOwn };
}

/**
 * A question as the model reads it.
 *
 * @param instructions - what is asked
 * @param isReversed - whether the last option is named first
 */
export function askedQuestion(
  question: DecisionQuestion,
  { names, areOwn }: AnswerNames,
  instructions: string,
  isReversed: boolean,
): AskedQuestion {
  if (question.type === 'predicate') {
    const words = ordered(names, isReversed).join(' or ');
    const text = `Is this true of the input?\n${instructions}\n\nAnswer ${words}.`;
    return { text, answers: names.map(spellings) };
  }
  const lines = question.options.map(({ text, description }, at) => {
    const meaning = [areOwn ? undefined : text, description].filter(Boolean).join(' – ');
    return `- ${names[at]}${meaning && `: ${meaning}`}`;
  });
  const list = ordered(lines, isReversed).join('\n');
  const isScore = question.type === 'score';
  const asks = isScore ? 'Answer with the number of the level' : 'Answer with the one';
  const text = `${instructions}\n\n${asks} that fits the input:\n${list}`;
  return { text, answers: names.map((name) => [name]) };
}

function ordered<T>(list: readonly T[], isReversed: boolean): readonly T[] {
  return isReversed ? list.toReversed() : list;
}

/** A word as models begin an answer with it. */
function spellings(word: string): string[] {
  const cases = [word, word.toLowerCase(), word.toUpperCase()];
  return cases.flatMap((each) => [each, ` ${each}`]);
}

/** Whether the options are few and short, and differ in more than their case. */
async function areWords(
  options: readonly DecisionOption[],
  countTokens: (text: string) => Promise<number>,
): Promise<boolean> {
  if (options.length > MOST_WORDS) return false;
  const folded = new Set(options.map(({ text }) => text.trim().toLowerCase()));
  if (folded.size < options.length || folded.has('')) return false;
  for (const { text } of options) {
    if (text.includes('\n') || (await countTokens(text)) > MOST_TOKENS) return false;
  }
  return true;
}

/** A to Z; for more options, AA, AB, … */
function code(at: number, count: number): string {
  const letter = (place: number) => String.fromCharCode(65 + place);
  return count <= LETTERS ? letter(at) : letter(Math.floor(at / LETTERS)) + letter(at % LETTERS);
}
