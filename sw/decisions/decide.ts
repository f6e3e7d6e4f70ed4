import type { Calibration, Correction } from '../../src/core/catalog/calibration.ts';
import { unsupportedValue } from '../../src/core/errors/errors.ts';
import type {
  Decision,
  DecideJob,
  DecisionQuestion,
  RequestedImage,
} from '../../src/core/operations/jobs/jobs.ts';
import type { PromptCaching } from '../../src/core/operations/prompt-caching.ts';
import type { PromptUsage } from '../../src/core/operations/events/events.ts';
import { BUILT_IN_MODEL } from '../../src/core/realms/built-in.ts';
import type { Context } from '../context.ts';
import type { FieldOf } from '../road/running-job.ts';
import { jsonAnswer } from '../http/json-response.ts';
import { clientOf, requireModel } from '../model-access.ts';
import { inputDetails } from '../generation/answer/usage.ts';
import { corrected } from './corrected.ts';

/** How many orders of the options are read, unless a request asks for one. */
const ORDERS = 2;

/** What is asked of a model, however the request names it. */
export interface Asked {
  model: string;
  /** Text with a mark for each of its images. */
  input: string;
  /** The text of each question, with marks. */
  instructions: string[];
  questions: DecisionQuestion[];
  /** The images of the input come first. */
  images: RequestedImage[];
  caching?: PromptCaching;
}

/** What a request may say about how decisions are made. */
export interface DecidingOptions {
  option_orders?: number | null | undefined;
  temperature?: number | null | undefined;
  stream?: boolean | null | undefined;
}

/** @throws ApiError 400 */
export function refuseStream({ stream }: DecidingOptions): void {
  if (stream)
    throw unsupportedValue("'stream' is not supported: decisions come at once.", 'stream');
}

/**
 * Has a model answer questions.
 *
 * @param names - the fields of the input and of the questions, for errors
 * @param produce - makes the body of the response
 */
export async function decide(
  context: Context,
  { model, input, instructions, questions, images, caching }: Asked,
  { option_orders: orders, temperature }: DecidingOptions,
  names: { input: string; questions: string },
  produce: (decisions: readonly Decision[], usage: PromptUsage, calibration: object) => unknown,
): Promise<Response> {
  if (model === BUILT_IN_MODEL) {
    const message = `The browser does not tell how likely the answers of its model '${model}' are.`;
    throw unsupportedValue(message, 'model');
  }
  const job: DecideJob = {
    op: 'decide',
    model,
    prompt: {
      kind: 'chat',
      messages: [input, ...instructions].map((content) => ({ role: 'user', content })),
      ...(images.length > 0 && { images }),
      templateOptions: {},
    },
    questions,
    orders: orders === 1 ? 1 : ORDERS,
    ...(caching && { caching }),
    ...clientOf(context.key),
  };
  const fieldOf: FieldOf = ({ part, path }) => {
    if (part === 'questions') return names.questions + path;
    // Without a vocabulary, nothing can be said of tokens.
    return part === 'logprobs' ? 'model' : names.input;
  };
  const { calibration = {} } = await requireModel(context, model, 'chat');
  const corrections = temperature == null ? calibration : allAt(temperature);
  return jsonAnswer(context, { job, fieldOf }, async (running) => {
    let body: unknown;
    await running.each(({ decisions, usage }) => {
      const better = decisions.map((each, at) => correctedBy(corrections, each, questions[at]));
      body = produce(better, usage, calibrationBody(corrections, questions, temperature));
    });
    return body;
  });
}

/** A request's own temperature, which corrects every type of question. */
function allAt(temperature: number): Calibration {
  return { predicate: { temperature }, choice: { temperature }, score: { temperature } };
}

function correctedBy(
  corrections: Calibration,
  decision: Decision,
  question: DecisionQuestion | undefined,
): Decision {
  const correction = question && corrections[question.type];
  if (!correction) return decision;
  const probabilities = corrected(decision.probabilities, question.type, correction);
  return { ...decision, probabilities };
}

/** Tells how the probabilities were calibrated: only what corrected an answer. */
function calibrationBody(
  corrections: Calibration,
  questions: readonly DecisionQuestion[],
  temperature: number | null | undefined,
) {
  if (temperature != null) return { method: 'temperature', temperature };
  const types = new Set(questions.map(({ type }) => type));
  const used = [...types].flatMap((type): [string, Correction][] => {
    const correction = corrections[type];
    return correction ? [[type, correction]] : [];
  });
  if (used.length === 0) return { method: 'none' };
  return { method: 'temperature', by_type: Object.fromEntries<Correction>(used) };
}

/** Usage as the Responses API writes it. Nothing is written. */
export function readUsage(usage: PromptUsage) {
  const { promptTokens } = usage;
  return {
    input_tokens: promptTokens,
    input_tokens_details: inputDetails(usage),
    output_tokens: 0,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: promptTokens,
  };
}
