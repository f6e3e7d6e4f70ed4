import { seededRandom } from '../../../scripts/seeded-random.ts';
import { MODEL } from '../support/api.ts';

const random = seededRandom(38);
export const below = (count: number) => Math.floor(random() * count);
const oneOf = <T>(values: readonly T[]): T => values[below(values.length)] as T;
const perhaps = (given: object): object => (random() < 0.3 ? given : {});

const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string', maxLength: 8 }, unit: { enum: ['celsius', 'kelvin'] } },
  required: ['city', 'unit'],
  additionalProperties: false,
};
const TOOL = { type: 'function', function: { name: 'get_weather', parameters: SCHEMA } };
const QUESTIONS = [
  'Count to 30.',
  'What is the weather in Paris?',
  'Say the words: red red blue red red.',
];

/** A chat with any parameters. */
export function anyChat() {
  return {
    model: MODEL,
    messages: [{ role: 'user', content: oneOf(QUESTIONS) }],
    temperature: oneOf([0, 0, 0.8]),
    seed: below(1000),
    max_tokens: 10 + below(50),
    ...perhaps({ n: 1 + below(3) }),
    ...perhaps({ stop: oneOf(['12', ['a', 'Paris'], '}']) }),
    ...perhaps({ logprobs: true, top_logprobs: below(4) }),
    ...perhaps({ min_p: 0.1, top_p: 0.9 }),
    ...perhaps({ frequency_penalty: 0.5, repetition_penalty: 1.2 }),
    ...perhaps({ logit_bias: { [below(1024)]: 4 } }),
    ...oneOf([
      {},
      { response_format: { type: 'json_schema', json_schema: { name: 'w', schema: SCHEMA } } },
      { tools: [TOOL], tool_choice: oneOf(['auto', 'required']) },
    ]),
  };
}

export interface Choice {
  index: number;
  message: { content: string | null; tool_calls?: { function: object }[] };
  finish_reason: string;
  logprobs: { content: object[] } | null;
}

export interface Chunk {
  choices: {
    index: number;
    delta: { content?: string; tool_calls?: [{ function: { name?: string; arguments: string } }] };
    finish_reason: string | null;
    logprobs?: { content: object[] } | null;
  }[];
}

/** What a choice says, without the random ids of its calls. */
interface Said {
  text: string;
  calls: string;
  reason: string | null;
  logprobs: object[];
}

export function saidWhole({ message, finish_reason: reason, logprobs }: Choice): Said {
  const calls = JSON.stringify((message.tool_calls ?? []).map((call) => call.function));
  return { text: message.content ?? '', calls, reason, logprobs: logprobs?.content ?? [] };
}

export function saidStreamed(chunks: readonly Chunk[]): Said[] {
  const all: (Omit<Said, 'calls'> & { calls: { name: string; arguments: string }[] })[] = [];
  for (const { index, delta, finish_reason: reason, logprobs } of chunks.flatMap(
    (it) => it.choices,
  )) {
    const said = (all[index] ??= { text: '', calls: [], reason: null, logprobs: [] });
    said.text += delta.content ?? '';
    const piece = delta.tool_calls?.[0].function;
    if (piece?.name !== undefined) said.calls.push({ name: piece.name, arguments: '' });
    const call = said.calls.at(-1);
    if (call && piece) call.arguments += piece.arguments;
    said.reason = reason ?? said.reason;
    said.logprobs.push(...(logprobs?.content ?? []));
  }
  return all.map(({ calls, ...said }) => ({ ...said, calls: JSON.stringify(calls) }));
}
