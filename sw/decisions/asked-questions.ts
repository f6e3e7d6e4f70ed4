import { invalidRequest } from '../../src/core/errors/errors.ts';
import type { DecisionOption, DecisionQuestion } from '../../src/core/operations/jobs/jobs.ts';
import { required } from '../http/parse-value.ts';
import type { QuestionRequest } from './decision-request.ts';

const MOST_QUESTIONS = 400;
export const CHOICES = { least: 2, most: 255 };
export const LEVELS = { least: 2, most: 10 };

/** @throws ApiError 400 for no question, or too many */
export function checkCount(questions: number): void {
  if (questions === 0) {
    throw invalidRequest("'questions' must not be empty.", 'questions', 'empty_array');
  }
  if (questions > MOST_QUESTIONS) {
    throw invalidRequest(`'questions' must have at most ${MOST_QUESTIONS} questions.`, 'questions');
  }
}

/** The questions, as the engine is asked them. @throws ApiError 400, which names the field */
export function askedQuestions(questions: readonly QuestionRequest[]): DecisionQuestion[] {
  checkCount(questions.length);
  const names = new Set<string>();
  return questions.map((question, at) => {
    const field = `questions[${at}]`;
    const { name } = question;
    if (name != null && names.has(name)) {
      const message = `'${field}.name' is '${name}', as that of a question before it.`;
      throw invalidRequest(message, `${field}.name`);
    }
    if (name != null) names.add(name);
    switch (question.type) {
      case 'predicate':
        return { type: 'predicate' };
      case 'choice': {
        const choices = listed(question.choices, CHOICES, `${field}.choices`);
        refuseRepeated(
          choices.map(({ value }) => value),
          (place) => `${field}.choices[${place}].value`,
        );
        const options = choices.map(({ value, description }) => option(String(value), description));
        return { type: 'choice', options };
      }
      case 'score': {
        const levels = listed(question.levels, LEVELS, `${field}.levels`);
        return {
          type: 'score',
          options: levels.map(({ label, description }) => option(label, description)),
        };
      }
    }
  });
}

/** @throws ApiError 400 */
export function listed<T>(
  given: readonly T[] | null | undefined,
  { least, most }: { least: number; most: number },
  field: string,
): readonly T[] {
  const list = required(given, field);
  if (list.length >= least && list.length <= most) return list;
  const code = list.length === 0 ? 'empty_array' : null;
  throw invalidRequest(`'${field}' must have ${least} to ${most} entries.`, field, code);
}

/** A string and a boolean that is written alike are two values. */
function refuseRepeated(
  values: readonly (string | boolean)[],
  fieldOf: (place: number) => string,
): void {
  const seen = new Set<string | boolean>();
  for (const [place, value] of values.entries()) {
    if (seen.has(value)) {
      const field = fieldOf(place);
      throw invalidRequest(`'${field}' is ${JSON.stringify(value)}, as one before it.`, field);
    }
    seen.add(value);
  }
}

function option(text: string, description: string | null | undefined): DecisionOption {
  return { text, ...(description != null && description !== '' && { description }) };
}
