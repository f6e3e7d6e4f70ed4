import Anthropic, { type ClientOptions } from '@anthropic-ai/sdk';
import { ORIGIN, type TestApi } from '../support/api.ts';
import { browserFetch } from '../support/browser-fetch.ts';
import { toolArguments, toolCall, finish, type Step } from '../support/test-engine.ts';

/** Anthropic's package, pointed at the API. */
export function anthropic(api: TestApi, options: ClientOptions = {}): Anthropic {
  const fetch = browserFetch(api.app);
  return new Anthropic({ baseURL: ORIGIN, apiKey: api.key, maxRetries: 0, fetch, ...options });
}

/** The model thinks, then asks for the weather in Bern. */
export const CALL: Step[] = [
  { type: 'start', prompt: { promptTokens: 7, cachedTokens: 2 } },
  { type: 'reasoning', text: 'Hm.' },
  ...[toolCall(0, 'get_weather'), toolArguments(0, '{"city":'), toolArguments(0, '"Bern"}')],
  finish('tool_calls'),
];
