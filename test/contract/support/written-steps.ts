import { toolArguments, toolCall, type Step } from './test-engine.ts';

/** A thought in two pieces. */
export const THOUGHT: Step[] = [
  { type: 'reasoning', text: 'Let me ' },
  { type: 'reasoning', text: 'see.' },
];

/** Two calls, the first one with its arguments in two pieces. */
export const CALLS: Step[] = [
  ...[toolCall(0, 'get_weather'), toolArguments(0, '{"city":'), toolArguments(0, '"Bern"}')],
  ...[toolCall(1, 'get_weather'), toolArguments(1, '{}')],
];
