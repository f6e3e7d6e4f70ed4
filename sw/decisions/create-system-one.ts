import * as v from 'valibot';
import { invalidRequest, unsupportedValue } from '../../src/core/errors/errors.ts';
import type { Decision, DecisionQuestion } from '../../src/core/operations/jobs/jobs.ts';
import { stringifyExact } from '../../src/core/text/exact-json.ts';
import type { Context } from '../context.ts';
import { faultOf } from '../http/parse-value.ts';
import { anyObject, object, optional, text, typeOf } from '../http/fields.ts';
import { checkCount, CHOICES, LEVELS, listed } from './asked-questions.ts';
import { decide, refuseStream, type Asked } from './decide.ts';
import { choiceConfidence, likeliest, meanLevel, scoreConfidence } from './decision-numbers.ts';
import { sharedEntries } from './decision-request.ts';

/** Text, or a value that is shown as JSON. */
const shown = v.union(
  [v.string(), anyObject, v.array(v.unknown())],
  'must be a string, an object or an array',
);
const instructions = optional(shown);

const noul = object({
  type: v.literal('noul'),
  instructions,
  criteria: optional(object({ true: optional(text), false: optional(text) })),
});
const choice = object({ type: v.literal('choice'), instructions, criteria: anyObject });
const score = object({
  type: v.literal('score'),
  instructions,
  criteria: v.array(text, 'must be an array'),
});
export const systemOneSchema = object(
  {
    ...sharedEntries,
    state: shown,
    questions: anyObject,
    images: optional(v.unknown()),
    files: optional(v.unknown()),
  },
  'must be a JSON object',
);

type SystemOneRequest = v.InferOutput<typeof systemOneSchema>;
type Question = v.InferOutput<typeof noul | typeof choice | typeof score>;

/** `POST v1/systemone`, the same in the shape of TypeSafe's clients. */
export async function createSystemOne(context: Context): Promise<Response> {
  const body = await context.body.parse(systemOneSchema);
  const { asked, questions } = askedSystemOne(body);
  const names = { input: 'state', questions: 'questions' };
  return decide(context, asked, body, names, (decisions, usage, calibration) => ({
    model: body.model,
    answers: Object.fromEntries(
      questions.map(([id, each], at) => [id, answerBody(each, decisions[at])]),
    ),
    calibration,
    usage: { input_tokens: usage.promptTokens, output_tokens: 0 },
  }));
}

/** @throws ApiError 400 */
export function askedSystemOne(body: SystemOneRequest): {
  asked: Asked;
  questions: [id: string, question: Question][];
} {
  refuseStream(body);
  for (const name of ['images', 'files'] as const) {
    if (body[name] != null) throw unsupportedValue(`'${name}' is not supported.`, name);
  }
  const entries = Object.entries(body.questions);
  checkCount(entries.length);
  const questions = entries.map(([id, given]): [string, Question] => [
    id,
    parsed(given, `questions.${id}`),
  ]);
  const asked: Asked = {
    model: body.model,
    input: textOf(body.state),
    instructions: questions.map(([, each]) => instructionsOf(each)),
    questions: questions.map(([id, each]) => askedQuestion(each, `questions.${id}.criteria`)),
    images: [],
  };
  return { asked, questions };
}

/** @throws ApiError 400 */
function parsed(given: unknown, field: string): Question {
  switch (typeOf(given)) {
    case 'noul':
      return parsedBy(noul, given, field);
    case 'choice':
      return parsedBy(choice, given, field);
    case 'score':
      return parsedBy(score, given, field);
    case undefined:
      throw invalidRequest(`'${field}.type' is required.`, `${field}.type`);
    default: {
      const message = `A question of type '${typeOf(given)}' is not supported.`;
      throw unsupportedValue(message, `${field}.type`);
    }
  }
}

function parsedBy<S extends v.GenericSchema>(
  schema: S,
  given: unknown,
  field: string,
): v.InferOutput<S> {
  const result = v.safeParse(schema, given, { abortEarly: true });
  if (result.success) return result.output;
  const { message, path } = faultOf(result.issues[0], field);
  throw invalidRequest(message, path);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : stringifyExact(value);
}

function instructionsOf(each: Question): string {
  const given = each.instructions == null ? '' : textOf(each.instructions);
  if (each.type !== 'noul') return given;
  const { true: yes, false: no } = each.criteria ?? {};
  const meanings = [yes != null && `Yes: ${yes}`, no != null && `No: ${no}`];
  return [given, ...meanings].filter(Boolean).join('\n');
}

function askedQuestion(each: Question, field: string): DecisionQuestion {
  switch (each.type) {
    case 'noul':
      return { type: 'predicate' };
    case 'choice': {
      const entries = listed(Object.entries(each.criteria), CHOICES, field);
      const options = entries.map(([value, description]) => {
        if (description != null && typeof description !== 'string') {
          const at = `${field}.${value}`;
          throw invalidRequest(`'${at}' must be a string or null.`, at);
        }
        return { text: value, ...(description && { description }) };
      });
      return { type: 'choice', options };
    }
    case 'score':
      return {
        type: 'score',
        options: listed(each.criteria, LEVELS, field).map((label) => ({ text: label })),
      };
  }
}

function answerBody(
  each: Question,
  { probabilities, coverage }: Decision = { probabilities: [], coverage: 0 },
) {
  const byName = (names: readonly string[]) =>
    Object.fromEntries(names.map((name, at) => [name, probabilities[at]]));
  switch (each.type) {
    case 'noul':
      return { type: 'noul', noul: probabilities[0], coverage };
    case 'choice': {
      const names = Object.keys(each.criteria);
      return {
        type: 'choice',
        choice: names[likeliest(probabilities)],
        confidence: choiceConfidence(probabilities),
        probabilities: byName(names),
        coverage,
      };
    }
    case 'score': {
      const levels = each.criteria.map((_, level) => String(level));
      return {
        type: 'score',
        score: meanLevel(probabilities),
        confidence: scoreConfidence(probabilities),
        probabilities: byName(levels),
        legend: Object.fromEntries(each.criteria.map((label, level) => [String(level), label])),
        coverage,
      };
    }
  }
}
