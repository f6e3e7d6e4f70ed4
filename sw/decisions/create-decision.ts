import type { Decision } from '../../src/core/operations/jobs/jobs.ts';
import type { Context } from '../context.ts';
import { joinContent } from '../generation/request/content.ts';
import { promptCaching } from '../generation/request/prompt-caching.ts';
import { askedQuestions } from './asked-questions.ts';
import { decide, readUsage, refuseStream, type Asked } from './decide.ts';
import { choiceConfidence, likeliest, meanLevel, scoreConfidence } from './decision-numbers.ts';
import {
  decisionRequestSchema,
  type DecisionRequest,
  type QuestionRequest,
} from './decision-request.ts';
import { judgedInput, PARTS } from './judged-input.ts';

/** The parts of a question: all questions share what stands before them. */
const ASIDE = { ...PARTS, isAside: true };

/** `POST v1/decisions`: answers questions about an input with probabilities. The model writes nothing. */
export async function createDecision(context: Context): Promise<Response> {
  const body = await context.body.parse(decisionRequestSchema);
  const names = { input: 'input', questions: 'questions' };
  return decide(context, askedDecision(body), body, names, (decisions, usage, calibration) => ({
    model: body.model,
    answers: body.questions.map((question, at) => answerBody(question, decisions[at])),
    calibration,
    usage: readUsage(usage),
  }));
}

/** @throws ApiError 400 */
export function askedDecision(body: DecisionRequest): Asked {
  refuseStream(body);
  const images: Asked['images'] = [];
  const questions = askedQuestions(body.questions);
  const input = judgedInput(body.input, images);
  const instructions = body.questions.map((question, at) =>
    joinContent(question.instructions, `questions[${at}].instructions`, ASIDE, images),
  );
  return { model: body.model, input, instructions, questions, images, ...promptCaching(body) };
}

function answerBody(
  { type, name, choices, levels }: QuestionRequest,
  { probabilities, coverage }: Decision = { probabilities: [], coverage: 0 },
) {
  const named = { type, name: name ?? null };
  switch (type) {
    case 'predicate':
      return { ...named, probability: probabilities[0], coverage };
    case 'choice': {
      const options = (choices ?? []).map(({ value }, at) => ({
        value,
        probability: probabilities[at],
      }));
      return {
        ...named,
        choice: options[likeliest(probabilities)]?.value,
        confidence: choiceConfidence(probabilities),
        probabilities: options,
        coverage,
      };
    }
    case 'score':
      return {
        ...named,
        score: meanLevel(probabilities),
        confidence: scoreConfidence(probabilities),
        probabilities: (levels ?? []).map(({ label }, value) => ({
          label,
          value,
          probability: probabilities[value],
        })),
        coverage,
      };
  }
}
