import * as v from 'valibot';
import { content } from '../generation/request/content.ts';
import { cachingEntries } from '../generation/request/prompt-caching.ts';
import {
  flag,
  integerIn,
  model,
  nonEmptyText,
  number,
  object,
  optional,
  text,
} from '../http/fields.ts';

const itemSchema = object({
  type: optional(text),
  role: optional(
    v.picklist(
      ['user', 'assistant', 'system', 'developer'],
      'must be one of user, assistant, system, developer',
    ),
  ),
  content: optional(content),
  call_id: optional(text),
  name: optional(text),
  arguments: optional(text),
  input: optional(text),
  output: optional(content),
});

export type DecisionItem = v.InferOutput<typeof itemSchema>;

const plainInput = v.string('must be a string or an array of items');
const items = v.array(itemSchema);

/** Picks one of the two schemas, because a union would not report the path inside the items. */
const input = v.lazy((value): typeof plainInput | typeof items =>
  Array.isArray(value) ? items : plainInput,
);

const described = { description: optional(text) };
const value = v.lazy((given): typeof nonEmptyText | typeof flag =>
  typeof given === 'boolean' ? flag : nonEmptyText,
);

const questionSchema = object({
  type: v.picklist(['predicate', 'choice', 'score'], 'must be one of predicate, choice, score'),
  name: optional(nonEmptyText),
  instructions: content,
  choices: optional(v.array(object({ value, ...described }), 'must be an array')),
  levels: optional(v.array(object({ label: nonEmptyText, ...described }), 'must be an array')),
});

export type QuestionRequest = v.InferOutput<typeof questionSchema>;

/** What both endpoints for decisions take beside their questions. */
export const sharedEntries = {
  model,
  option_orders: integerIn(1, 2),
  temperature: optional(
    v.pipe(
      number('must be a number'),
      v.check((x) => x > 0, 'must be more than 0'),
    ),
  ),
  stream: optional(flag),
};

export const decisionRequestSchema = object(
  {
    ...sharedEntries,
    input,
    questions: v.array(questionSchema, 'must be an array'),
    ...cachingEntries,
    safety_identifier: optional(text),
  },
  'must be a JSON object',
);

export type DecisionRequest = v.InferOutput<typeof decisionRequestSchema>;
